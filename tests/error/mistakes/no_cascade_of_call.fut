-- No cascade of call.
-- at 7
-- ==
-- error: Cannot apply "reduce"

def f (xs: []f64) =
  let s = reduce (+) xs
  in s + 1.0 + s.x
