-- The number of bins last.
-- at 6
-- ==
-- error: the number of bins comes before the indices and the values: "hist op ne k is vs"\.

def f (is: []i64) = hist (+) 0 is (map (const 1) is) 10
