-- A definition inside of another.
-- at 7
-- ==
-- error: a local function is defined by "let f

def f (x: f64) =
  def g (y: f64) = y + 1
  g x
