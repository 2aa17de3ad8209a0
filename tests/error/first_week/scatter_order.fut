-- The indices before what is written to.
-- at 6
-- ==
-- error: the array to write to comes first, then the indices: "scatter xs is vs"\.

def f (xs: *[]f64) (is: []i64) (vs: []f64) = scatter is xs vs
