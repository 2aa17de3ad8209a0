-- The gradient of a matrix product.
def matmul [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
-- ==
-- input { [[1.0, 2.0], [3.0, 4.0]] [[5.0, 6.0], [7.0, 8.0]] }
-- output { [[11.0, 15.0], [11.0, 15.0]] [[4.0, 4.0], [6.0, 6.0]] }
entry main [n][m][p] (a: [n][m]f64) (b: [m][p]f64) =
  vjp (\(a, b) -> matmul a b) (a, b) (replicate n (replicate p 1))
