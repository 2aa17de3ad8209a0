-- The gradient of a product of matrices: two products, one of them also by columns, nothing is updated atomically.
-- structure soac,gpu: loop.kernel 9, loop.blocks 4, loop.atomic 0
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[5f64, 6f64], [7f64, 8f64]] }
-- output { [[11f64, 15f64], [11f64, 15f64]] [[4f64, 4f64], [6f64, 6f64]] }
def matmul [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a

entry main [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : ([n][m]f64, [m][p]f64) =
  vjp (\(a, b) -> matmul a b) (a, b) (replicate n (replicate p 1))
