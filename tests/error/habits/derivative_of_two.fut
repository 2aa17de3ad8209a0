-- The derivative of a function of two arguments.
-- at 7
-- ==
-- error: "vjp \(\\\(x, y\) -> f x y\) \(x, y\) \.\.\."

def f (x: f64) (y: f64) : f64 = x * y
def g (x: f64) (y: f64) = vjp f (x, y) 1
