-- A comment of another language, behind code.
-- at 6
-- ==
-- error: a comment begins with "--"

def f (x: i32) = // the same
  x
