-- An assignment with a type.
-- at 6
-- ==
-- error: a name is bound by "let x = \.\.\. in \.\.\."\.

def f (x : f64) = let y : f64 := x in y
