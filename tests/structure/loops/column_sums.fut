-- Sums over columns are done in vectors of several columns: the reduction that was fused with them goes
-- into a loop after theirs.
-- structure soac,seq,simplify: loop 2
-- structure soac,seq,simplify,split_loops: loop 3, scratch 1
-- depth soac,seq,simplify,split_loops: loop 1
-- ==
-- input { [2.0, 3.0] [[1.0, 2.0, 5.0], [4.0, 0.0, -1.0]] } output { 14.0 }
-- input { empty([0]f64) empty([0][3]f64) } output { 0.0 }
-- input { [2.0] empty([1][0]f64) } output { -f64.inf }
entry main [m] [n] (x: [m]f64) (b: [m][n]f64) : f64 =
  f64.maximum (map (\column -> f64.sum (map2 (*) x column)) (transpose b))
