-- Steps of an iteration alternate between two arrays.
-- structure soac,c: alloc 2, copies 0
-- ==
-- input { 3i32 [1f64, 2f64, 3f64] } output { [16.0f64, 16.0f64, 16.0f64] }
entry main [n] (k: i32) (xs: [n]f64) : [n]f64 =
  loop xs for _i < k do tabulate n (\i -> xs[i] + xs[n - 1 - i])
