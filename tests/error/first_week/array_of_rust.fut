-- An array type, as Rust writes it.
-- at 6
-- ==
-- error: the type of an array is written "\[n\]f64"\.

def f (xs: [f64; 3]) = xs
