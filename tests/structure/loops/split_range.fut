-- The loop over a row of a triangle is two: none of them has a branch.
-- structure soac,c: if 0
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] } output { [[2.718281828459045f64, -2f64], [20.085536923187668f64, 54.598150033144236f64]] }
entry main [n][m] (a: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> if j > i then -a[i, j] else f64.exp a[i, j])
