-- A loop of JAX.
-- at 6
-- ==
-- error: a loop carries its state

def f (x: f64) = fori_loop 0 3 (\i x -> x) x
