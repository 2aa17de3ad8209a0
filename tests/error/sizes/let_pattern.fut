-- The size in a pattern must be that of the value.
-- ==
-- error: cannot match value of type
def f (n: i64) = let (xs: [3]i64) = iota n in xs
