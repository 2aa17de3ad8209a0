-- A range with a colon.
-- at 6
-- ==
-- error: a range is written "a\.\.<b"

def f (n: i64) = map (\i -> i * 2) (1:n)
