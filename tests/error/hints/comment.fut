-- A comment of another language.
-- at 6
-- ==
-- error: a comment begins with "--"

// f
def f (x: i32) = x
