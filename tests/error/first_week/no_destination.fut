-- Nothing to add to.
-- at 6
-- ==
-- error: the array to add to comes first: "reduce_by_index dest op ne is vs"; "hist op ne k is vs" makes a new one of k elements\.

def f (is: []i64) (vs: []f64) = reduce_by_index (+) 0 is vs
