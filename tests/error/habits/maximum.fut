-- max of an array.
-- at 6
-- ==
-- error: "f64.maximum xs" is the largest element

def g (xs: []f64) = max xs
