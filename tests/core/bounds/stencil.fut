-- Inside of the stencil all three points exist.
-- structure soac: assert 0
-- ==
-- input { [3f64, 6f64, 9f64, 0f64] 1i32 } output { [3f64, 6f64, 5f64, 0f64] }
entry main [n] (xs: [n]f64) (k: i32) : [n]f64 =
  loop xs for _i < k do
    tabulate n (\i -> if i == 0 || i == n - 1 then xs[i] else (xs[i - 1] + xs[i] + xs[i + 1]) / 3)
