-- An element before an array.
-- at 6
-- ==
-- error: a type follows a single colon: "x: f64"; "\[x\] \+\+ xs" puts x before xs\.

def f (xs: []f64) (x: f64) = x :: xs
