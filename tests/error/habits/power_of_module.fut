-- A power by a module of functions.
-- at 6
-- ==
-- error: "x \*\* y" is x to the power of y

def f (x: f64) = math.pow(x, 2)
