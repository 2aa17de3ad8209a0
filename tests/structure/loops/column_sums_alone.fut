-- With nothing else in their loop they are left there, also where functions of them are stored.
-- structure soac,seq,simplify,split_loops: loop 2, scratch 1
-- ==
-- input { [2.0, 3.0] [[1.0, 2.0, 5.0], [4.0, 0.0, -1.0]] } output { [196.0, 16.0, 49.0] }
entry main [m] [n] (x: [m]f64) (b: [m][n]f64) : [n]f64 =
  map (\column -> let s = f64.sum (map2 (*) x column) in s * s) (transpose b)
