-- An element added to an array.
-- at 6
-- ==
-- error: "xs \+\+ \[x\]" is xs with x at its end

def f (xs: []f64) (x: f64) = push! xs x
