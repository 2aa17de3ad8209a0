-- The larger of two, of an array.
-- at 6
-- ==
-- error: "f64.maximum a" is the largest element

def f (a: []f64) = f64.max a
