-- The type of a list.
-- at 6
-- ==
-- error: the type of an array is written

def f (xs: List[f64]) = xs
