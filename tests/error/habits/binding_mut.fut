-- A variable declared as mutable.
-- at 6
-- ==
-- error: "let mut y \.\.\." defines a function "mut"

def f (x: f64) = let mut y = x in y
