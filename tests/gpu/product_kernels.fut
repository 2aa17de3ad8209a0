-- Kernels with several products of matrices, which get kernels of their own where sums are long.
-- ==
-- entry: two
-- input { 40i64 33i64 36i64 } output { 37437.27206416839f64 }
-- input { 5i64 4i64 3i64 } output { 23.22837657820784f64 }
def matrix n m (a: i64) : [n][m]f64 = tabulate_2d n m (\i j -> f64.i64 ((i * a + j * 3) % 11) / 10)
entry two (n: i64) (m: i64) (k: i64) : f64 =
  let both x y z w =
    map2 (\r s -> map2 (\p q -> f64.sum (map2 (*) r p) * f64.sqrt (1 + f64.sum (map2 (*) s q))) y w) x z
  in f64.sum (flatten (both (matrix n k 1) (matrix m k 2) (matrix n k 5) (matrix m k 7)))
-- Sums that one loop carries.
-- ==
-- entry: three
-- input { 40i64 33i64 36i64 } output { 11878.350000000033f64 }
-- input { 5i64 4i64 3i64 } output { 16.450000000000003f64 }
entry three (n: i64) (m: i64) (k: i64) : f64 =
  let (x, y, z, w) = (matrix n k 1, matrix m k 2, matrix m k 5, matrix m k 7)
  let sums i j = loop (a, b, c) = (0, 0, 0) for l < k do (a + x[i, l] * y[j, l], b + x[i, l] * z[j, l], c + x[i, l] * w[j, l])
  in f64.sum (flatten (tabulate_2d n m (\i j -> let (a, b, c) = sums i j in a + b - c)))
