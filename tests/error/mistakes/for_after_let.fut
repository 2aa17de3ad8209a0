-- A loop as a statement.
-- at 8
-- ==
-- error: a loop is written "loop x = start

def f (xs: []f64) =
  let s = 0
  for i < 10 do s + xs[i]
