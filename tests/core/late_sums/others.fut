-- Rows that read what others wrote are no loop of a thread, and a vector would be traffic.
-- structure soac,late_sums: screma 1, replicate 0
-- ==
-- input { 2i64 [1f64, 2f64] } output { [1f64, 2f64] 6f64 }
entry main [n] (k: i64) (xs: [n]f64) : ([n]f64, f64) =
  loop (xs, s) = (xs, 0) for _i < k do
    let ys = map (\i -> xs[n - 1 - i]) (iota n)
    in (ys, s + f64.sum ys)
