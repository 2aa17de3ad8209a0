-- Two sums over one array are one loop.
-- structure soac: screma 1
-- structure soac,c: loop 1
-- ==
-- input { [1f64, 2f64, 3f64] } output { 0.666666666666667f64 }
entry main [n] (xs: [n]f64) : f64 =
  let mean = f64.sum xs / f64.i64 n
  let square = f64.sum (map (\x -> x * x) xs) / f64.i64 n
  in square - mean * mean
