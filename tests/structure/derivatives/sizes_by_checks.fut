-- The adjoint of a row has the row's sizes, not those that a check says are the same: the ones that
-- are computed inside of the function are not known outside of it.
-- structure simplify,differentiate: reshape 1
-- ==
-- input { [2i64, 2i64] [[1f64, 2f64, 3f64, 4f64], [5f64, 6f64, 7f64, 8f64]] [1f64, 2f64] }
-- output { [[2f64, 4f64, 6f64, 8f64], [20f64, 24f64, 28f64, 32f64]] }
def squares [k] (r: [k]f64) : f64 = f64.sum (map (\a -> a * a) r)
entry main [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : [m][n]f64 =
  vjp (map2 (\i r -> let k = i * i in squares (r :> [k]f64)) is) x d
