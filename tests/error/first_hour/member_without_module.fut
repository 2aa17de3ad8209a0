-- A member without its module.
-- at 7
-- ==
-- error: there is m\.g\.

module m = { def g (x: f64) = x }
def f = g 1
