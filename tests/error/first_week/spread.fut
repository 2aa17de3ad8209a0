-- An array as the arguments of a function.
-- at 6
-- ==
-- error: an array cannot be spread over the parameters of a function; "reduce op ne xs" combines its elements, "f64\.maximum xs" is the largest\.

def f (a: []f64) = f64.max a...
