-- The type of an array with its argument in angle brackets.
-- at 6
-- ==
-- error: the type of an array is written "\[\]t" or "\[n\]t"; other types are given their

def f (xs: Array<f64>) = xs
