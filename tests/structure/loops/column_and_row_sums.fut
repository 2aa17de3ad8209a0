-- Sums over columns of one matrix with sums over rows of another: those of the columns get a loop. What they
-- need of the loop around, here a number of each column, is computed there too.
-- structure soac,seq,simplify,split_loops: loop 4, scratch 2, convert 2
-- structure soac,seq,simplify,split_loops,dce: loop 4, scratch 2, convert 1
-- ==
-- input { [2.0, 3.0] [[1.0, 2.0], [4.0, 0.0]] [[1.0], [2.0]] [5.0] [1i64, 0i64] } output { [80.0, 40.0] }
entry main [m] [n] [k] (x: [m]f64) (b: [m][n]f64) (c: [n][k]f64) (y: [k]f64) (at: [n]i64) : [n]f64 =
  map3 (\column row i ->
          let s = f64.sum (map2 (\a b -> a * b + f64.i64 i) x column)
          in s * f64.sum (map2 (*) y row))
       (transpose b) c at
