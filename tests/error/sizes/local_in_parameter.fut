-- The size of a parameter is no name of the body, whatever that stands for.
-- ==
-- error: scope
entry main (ys: []f64) =
  let w = 4i64 * 2
  let ws = replicate w 0.5
  in f64.sum (map2 (*) ws ys)
