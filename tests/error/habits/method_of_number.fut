-- A function of a number as a method.
-- at 6
-- ==
-- error: "f64.sqrt x"

def f (x: f64) = x.sqrt
