-- What all rows and steps share is added to in sums of the row, which are added once: one f32 that
-- the terms of all rows and steps are added to, one by one, loses the small ones.
-- structure soac: withacc 1
-- structure soac,row_sums: withacc 2, replicate 2
-- ==
-- entry: gradient
-- input { [1f32, 2f32, 3f32] [[1f32, 2f32], [3f32, 4f32]] }
-- output { [0.5625f32, 1.125f32, 2.25f32] }
entry gradient [n][m][k] (w: [k]f32) (xs: [n][m]f32) : [k]f32 =
  let row (w: [k]f32) (x: [m]f32) =
    loop s = 0f32 for t < m do
      loop s for i < k do s * 0.5 + f32.max 0 (s * x[t] * 0 + w[i])
  in vjp (\w -> f32.sum (map (row w) xs)) w 1
