-- The value and the derivative.
-- at 7
-- ==
-- error: "vjp2" gives the value and the derivative

def f (x: f64) : f64 = x * x
def g (x: f64) : (f64, f64) = vjp f x 1
