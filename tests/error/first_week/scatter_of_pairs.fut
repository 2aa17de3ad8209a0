-- Pairs of indices.
-- at 6
-- ==
-- error: "scatter_2d" is for pairs of indices\.

def f (xs: *[4][4]f64) (is: [](i64, i64)) (vs: []f64) = scatter xs is vs
