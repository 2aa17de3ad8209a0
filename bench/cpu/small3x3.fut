-- Many products of matrices of 3 by 3.
def matmul [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a

entry main [n] (as: [n][3][3]f64) (bs: [n][3][3]f64) : [n][3][3]f64 = map2 matmul as bs
