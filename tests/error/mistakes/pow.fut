-- A power as a function.
-- at 6
-- ==
-- error: "x \*\* y" is x to the power of y

def f (x: f64) = pow x 2
