-- := for a binding.
-- at 7
-- ==
-- error: a name is bound by "let x = \.\.\. in

def f (x: f64) =
  y := x
  y
