-- + for joining arrays.
-- at 6
-- ==
-- error: "xs \+\+ ys" joins arrays

def f (xs: []f64) = xs + [1]
