-- An element at the end.
-- at 6
-- ==
-- error: "xs \+\+ \[x\]" is xs with x at its end\.

def f (xs: []f64) = let xs = xs.push 3.0 in xs
