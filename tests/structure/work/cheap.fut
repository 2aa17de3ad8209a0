-- A cheap map is repeated rather than stored.
-- structure soac: screma 1
-- structure soac,c: alloc 1
-- ==
-- input { [1f64, 2f64, 3f64] } output { [6.0f64, 6.0f64, 6.0f64] }
entry main [n] (xs: [n]f64) : [n]f64 =
  let ys = map (+ 1) xs
  in tabulate n (\i -> ys[i] + ys[n - 1 - i])
