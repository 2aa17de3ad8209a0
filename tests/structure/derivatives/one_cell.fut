-- Many writers of one cell are a sum.
-- structure soac: withacc 0, upd_acc 0
-- ==
-- input { [1f64,2f64,3f64] [4f64,5f64,6f64] 1i64 }
-- output { [0.0f64, 15.0f64, 0.0f64] }
entry main [n] (xs: [n]f64) (ys: [n]f64) (k: i64) : [n]f64 =
  vjp (\x -> f64.sum (map (\y -> x[k] * y) ys)) xs 1
