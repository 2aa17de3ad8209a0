-- Of two products of matrices in one kernel the first gets a kernel of its own, for long sums; for short ones there
-- is the kernel with both.
-- structure soac,gpu: loop.kernel 18
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[1f64, 0f64]] [[2f64, 2f64], [0f64, 1f64]] [[1f64, 1f64]] } output { [[4f64], [3f64]] }
entry main [n][m][k] (x: [n][k]f64) (y: [m][k]f64) (z: [n][k]f64) (w: [m][k]f64) : [n][m]f64 =
  map2 (\r s -> map2 (\p q -> f64.sum (map2 (*) r p) * f64.sum (map2 (*) s q)) y w) x z
