-- return after let.
-- at 8
-- ==
-- error: write "in" instead of "return"

def f (x: f64) =
  let y = x
  return y
