-- A choice for each element, of a library.
-- at 6
-- ==
-- error: a choice for each element is

def f (xs: []f64) = jnp.where(xs > 0, xs, 0)
