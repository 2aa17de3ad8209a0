-- A sum along rows, together with one along columns, as the derivative of an outer product has them: two sums,
-- and no row waits for another.
-- structure soac,gpu: loop.atomic 0
-- ==
-- input { [1f64, 2f64] [3f64, 4f64, 5f64] [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [26f64, 62f64] [9f64, 12f64, 15f64] }
entry main [n][m] (a: [n]f64) (b: [m]f64) (c: [n][m]f64) : ([n]f64, [m]f64) =
  vjp (\(a, b) -> map (\x -> map (\y -> x * y) b) a) (a, b) c
