-- A power by a function of the type.
-- at 6
-- ==
-- error: "x \*\* y" is x to the power of y

def f (x: f64) = f64.pow x 2
