-- A loop over the elements, as a statement.
-- at 8
-- ==
-- error: a loop is written "loop x = start for i < n do

def f (xs: []f64) =
  let s = 0
  for x in xs:
    s += x
  s
