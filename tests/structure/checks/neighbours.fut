-- Neighbours of an inner point exist.
-- structure soac: assert 0
-- ==
-- input { [1f64, 2f64, 3f64, 4f64] } output { [0.0f64, 4.0f64, 6.0f64, 0.0f64] }
entry main [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i -> if i > 0 && i < n - 1 then xs[i - 1] + xs[i + 1] else 0)
