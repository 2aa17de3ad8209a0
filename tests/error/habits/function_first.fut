-- The function of vjp after its point.
-- at 6
-- ==
-- error: the function comes first: "vjp

def f (x: f64) : f64 = vjp x (\x -> x * x) 1
