-- A function of a library.
-- at 6
-- ==
-- error: is the softmax

def f (xs: []f64) = softmax xs
