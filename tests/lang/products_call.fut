-- A product of matrices beside a call of a function that stays one.
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[5f64, 6f64], [7f64, 8f64]] } output { [[17f64, 23f64], [39f64, 53f64]] }
def halved (k: i64) (x: f64) : f64 = if k <= 0 then x else halved (k - 1) (x / 2)

entry main [n] [m] [k] (a: [n][k]f64) (b: [m][k]f64) : [n][m]f64 =
  map2 (\i x -> map (\y -> halved (n + i - i) 4 * f64.sum (map2 (*) x y)) b) (iota n) a
