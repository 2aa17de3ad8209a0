-- A loop that does more than go through the rows: their vector does not matter, so that it need not run in threads.
-- structure soac,late_sums: screma 3, replicate 1
-- ==
-- input { 2i64 [1f64, 2f64] [[0f64, 1f64], [1f64, 0f64]] } output { [1f64, 2f64] 6f64 }
entry main [n] (k: i64) (xs: [n]f64) (a: [n][n]f64) : ([n]f64, f64) =
  loop (xs, s) = (xs, 0) for _i < k do
    let xs = map (\row -> f64.sum (map2 (*) row xs)) a
    in (xs, s + f64.sum xs)
