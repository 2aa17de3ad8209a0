-- An update, as JAX writes it.
-- at 6
-- ==
-- error: "xs with \[i\] = v" is xs with element i replaced by v\.

def f (xs: *[]f64) = xs.at[0].set(1.0)
