-- var for a binding.
-- at 6
-- ==
-- error: a name is bound by "let x = \.\.\. in

def f (x: f64) = var y = x in y
