-- The number of iterations of the inner loop differs from one of the outer to the next, but not from
-- row to row: both loops go to the host, around kernels of a thread for each element; or a block does
-- both loops for its row.
-- structure soac,gpu: loop 16, loop.kernel 5, loop.blocks 1
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] 3i64 } output { [[136i32, 128i32, 120i32], [328i32, 320i32, 312i32]] }
entry main [n][m] (xss: [n][m]i32) (k: i64) : [n][m]i32 =
  map (\xs ->
         loop xs for a < k do
           loop xs for b < a + 1 do
             map (\i -> xs[(i + b) % m] + xs[(i + a) % m]) (iota m))
      xss
