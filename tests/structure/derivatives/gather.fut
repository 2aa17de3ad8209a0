-- Indices that are not known stay an accumulator.
-- structure soac: withacc 1, upd_acc 1
-- ==
-- input { [1f64,2f64,3f64] [2i64,0i64,2i64,2i64] }
-- output { [2.0f64, 0.0f64, 18.0f64] }
entry main [n][m] (xs: [n]f64) (is: [m]i64) : [n]f64 =
  vjp (\x -> f64.sum (map (\i -> x[i] * x[i]) is)) xs 1
