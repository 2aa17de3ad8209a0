-- A reduction that some rows do, and what they give is added up: the threads of a block share the
-- reduction of a row, and one more sums the rows.
-- structure soac,gpu: loop.blocks 3, loop.threads 3, loop.kernel 1
-- ==
-- input { [[1f64, 2f64], [4f64, 5f64], [7f64, 8f64]] } output { 82f64 }
entry main [n][m] (a: [n][m]f64) : f64 =
  f64.sum (map (\i -> if i < 1 then 0 else f64.sum (map2 (*) a[i] a[i - 1])) (iota n))
