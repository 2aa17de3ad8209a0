-- An element joined to an array.
-- at 6
-- ==
-- error: "\+\+" joins arrays; an array of one element is "\[x\]"\.

def f (xs: []f64) (x: f64) = xs ++ x
