-- An argument of reduce is left out.
-- at 6
-- ==
-- error: the neutral element is missing: "reduce \(\+\) ne xs"

def f (xs: []i32) : i32 = reduce (+) xs
