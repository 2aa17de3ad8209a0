-- := in a let.
-- at 6
-- ==
-- error: a name is bound by "let x = \.\.\. in

def f (x: f64) = let y := x in y
