-- A reduction that some rows do: the threads of a block share it where there are few rows.
-- structure soac,gpu: loop.blocks 1, loop.threads 1, loop.kernel 1
-- ==
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64], [7f64, 8f64, 9f64]] 2i64 } output { [0f64, 14f64, 23f64] }
entry main [n][m] (a: [n][m]f64) (j: i64) : [n]f64 =
  map (\i -> if i < 1 then 0 else f64.sum (map2 (*) a[i, :j] a[0, :j])) (iota n)
