-- Rule of one.
-- at 6
-- ==
-- error: with_vjp f \(\\res adj -> ...\)

def root : f64 -> f64 = with_vjp (\x -> f64.sqrt x) (\r -> 1 / (2 * r))
