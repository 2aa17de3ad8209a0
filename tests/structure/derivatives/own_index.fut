-- Each row is written once: a map.
-- structure soac: withacc 0, upd_acc 0, screma 1
-- ==
-- input { [1f64,2f64,3f64] [4f64,5f64,6f64] }
-- output { [16.0f64, 25.0f64, 36.0f64] }
entry main [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  vjp (\x -> f64.sum (map2 (\i y -> x[i] * y * y) (iota n) ys)) xs 1
