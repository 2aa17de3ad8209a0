-- <- for a binding.
-- at 7
-- ==
-- error: variables cannot be reassigned

def f (x: f64) =
  y <- x
  y
