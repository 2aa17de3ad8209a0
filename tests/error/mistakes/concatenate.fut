-- Concatenate.
-- at 6
-- ==
-- error: "xs \+\+ ys" joins arrays

def f (a: []f64) (b: []f64) = concatenate a b
