-- Rows that are added to bins: a thread for each of their elements, as a kernel (two levels) and in
-- blocks; no loops.
-- structure soac,gpu: loop.kernel 2, loop.blocks 1, loop.threads 3, loop.atomic 3, loop 9, withacc 0
-- ==
-- input { 2i64 [0i64, 1i64, 1i64] [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
-- output { [[1i32, 2i32], [8i32, 10i32]] }
entry main [n][m] (k: i64) (is: [n]i64) (vs: [n][m]i32) : [k][m]i32 =
  reduce_by_index (replicate k (replicate m 0)) (map2 (+)) (replicate m 0) is vs
