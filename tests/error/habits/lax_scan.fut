-- The scan of JAX.
-- at 6
-- ==
-- error: a loop carries its state

def f (xs: []f64) = lax.scan (+) 0 xs
