-- The neutral element after the array.
-- at 6
-- ==
-- error: the neutral element comes before the array: "reduce \(\\x acc -> x \+ acc\) 0 xs"\.

def f (xs: []f64) = reduce (\x acc -> x + acc) xs 0
