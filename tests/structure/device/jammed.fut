-- Folds over rows of their own lengths, for each of some centres: a block does eight of them at once, and reads
-- the row once for these.  The centres are turned, so that what a thread reads of them lies together.
-- structure soac,gpu: loop.threads 2, call 16, copy 1
-- ==
-- input { [1f32, 2f32, 3f32, 4f32] [0i32, 2i32, 1i32, 2i32] [0i64, 1i64, 1i64, 4i64]
--         [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] }
-- output { [2f32, 0f32, 48f32] }
-- input { [1f32, 2f32, 3f32, 4f32] [0i32, 2i32, 1i32, 3i32] [0i64, 1i64, 1i64, 4i64]
--         [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
entry main [z][m][k][d] (values: [z]f32) (columns: [z]i32) (starts: [m]i64) (centres: [k][d]f32) : []f32 =
  let product (from: i64) (to: i64) (centre: [d]f32) =
    f32.sum (map2 (\x c -> 2 * x * centre[c]) values[from:to] columns[from:to])
  in tabulate (m - 1) (\i -> f32.minimum (map (product starts[i] starts[i + 1]) centres))
