-- A neutral element of another type.
-- at 6
-- ==
-- error: the neutral element has the type of the elements; "0i64" is of type i64, and the elements are of type f64\.

def f (xs: []f64) = reduce (+) 0i64 xs
