-- vjp without a seed.
-- at 6
-- ==
-- error: the seed is missing: "vjp f x 1"

def f (x: f64) : f64 = vjp (\x -> x * x) x
