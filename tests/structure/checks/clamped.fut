-- Clamped indices are in range.
-- structure soac: assert 0
-- structure soac,c: loop 3, assert 0
-- ==
-- input { [1f64, 2f64, 3f64, 4f64] } output { [3.0f64, 4.0f64, 6.0f64, 7.0f64] }
-- input { [1f64] } output { [2.0f64] }
entry main [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i -> xs[i64.max 0 (i - 1)] + xs[i64.min (n - 1) (i + 1)])
