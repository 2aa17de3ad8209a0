-- A pattern of an array.
-- at 6
-- ==
-- error: arrays have no patterns

def f (xs: []f64) = let [a, b] = xs in a + b
