-- The value is computed from flattened rows: the return sweep still is in the rows of the forward sweep, and runs the
-- loop of a row once for both.
-- structure soac: loop 2, reshape 0
-- ==
-- entry: gradient
-- input { [[1f64, 2f64], [3f64, -1f64]] }
-- output { [[0.6679415347540103f64, 1.0213009414884946f64], [1.7194315952722725f64, -2.8431046931407935f64]] }

def row [m] (xs: [m]f64) : [m]f64 =
  loop ys = copy xs for i < m do map (\y -> 0.5 * y * xs[i] + 1 / (1 + y * y)) ys

entry gradient [n][m] (a: [n][m]f64) : [n][m]f64 =
  vjp (\a -> f64.sum (map (\x -> x * x) (flatten (map row a))) / f64.i64 (n * m)) a 1
