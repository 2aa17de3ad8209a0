-- A producer with two consumers is computed once, for both.
-- structure soac: screma 1
-- structure soac,c: loop 1, alloc 0
-- ==
-- input { [1f64, 2f64, 3f64] } output { 30.19287485057736f64 20.085536923187668f64 }
entry main (xs: []f64) : (f64, f64) =
  let ys = map (\x -> f64.exp x) xs
  in (f64.sum ys, f64.maximum ys)
