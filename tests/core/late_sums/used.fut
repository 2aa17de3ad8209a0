-- A scalar that the rows read is summed in each iteration.
-- structure soac,late_sums: screma 1, replicate 0
-- ==
-- input { 2i64 [1f64, 2f64] } output { [21f64, 30f64] 36f64 }
entry main [n] (k: i64) (xs: [n]f64) : ([n]f64, f64) =
  loop (xs, s) = (xs, 0) for _i < k do
    let ys = map (\x -> 2 * x + s) xs
    in (map2 (\x y -> x + y + s) xs ys, s + f64.sum ys)
