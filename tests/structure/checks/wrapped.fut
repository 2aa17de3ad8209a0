-- So are remainders.
-- structure soac: assert 0
-- ==
-- input { [1f64, 2f64, 3f64, 4f64] } output { [6.0f64, 4.0f64, 6.0f64, 4.0f64] }
entry main [n] (xs: [n]f64) : [n]f64 = tabulate n (\i -> xs[(i + 1) % n] + xs[(i + n - 1) % n])
