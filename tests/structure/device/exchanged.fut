-- Derivatives of reads at i ^ d: what rows add to others in exchange is read by those.
-- structure soac: withacc 0, upd_acc 0
-- ==
-- entry: stage
-- input { 2i64 [1f64, 2f64, 3f64, 4f64, 5f64] [1f64, 10f64, 100f64, 1000f64, 10000f64] }
-- output { [303f64, 4040f64, 101f64, 2020f64, 20000f64] }
-- input { 0i64 [1f64, 2f64, 3f64] [1f64, 10f64, 100f64] } output { [2f64, 40f64, 600f64] }
-- input { -1i64 [1f64, 2f64] [1f64, 10f64] } output { [2f64, 20f64] }

-- ==
-- entry: rows
-- input { 1i64 [[1f64, 2f64], [3f64, 4f64], [5f64, 6f64], [7f64, 8f64]] }
-- output { [[3.5f64, 4.5f64], [1.5f64, 2.5f64], [7.5f64, 8.5f64], [5.5f64, 6.5f64]] }

-- ==
-- entry: sorted
-- input { 3i64 [[3f32, 1f32, 4f32, 1f32, 5f32, 9f32, 2f32, 6f32]] [1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32, 8f32] }
-- output { [[4f32, 1f32, 5f32, 2f32, 6f32, 8f32, 3f32, 7f32]] }
entry stage [n] (d: i64) (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  vjp (\xs -> map (\i -> let j = i ^ d in xs[i] * (if j >= 0 && j < n then xs[j] else 2)) (iota n)) xs ys

entry rows [n][m] (d: i64) (xss: [n][m]f64) : [n][m]f64 =
  vjp (\xss -> f64.sum (map (\i -> f64.sum (map (\k -> xss[i ^ d, k] * (xss[i, k] + 1) / 2) (iota m))) (iota n))) xss 1

-- A network that sorts, all of it in one block.
entry sorted [b][n] (bits: i64) (xss: [b][n]f32) (w: [n]f32) : [b][n]f32 =
  let sort (xs: [n]f32) : [n]f32 =
    loop xs for a < bits do
      loop xs for b < a + 1 do
        let d = 1 << (a - b)
        in tabulate n (\i ->
                         let up = ((i >> (a + 1)) & 1 == 0) == (i & d == 0)
                         in if up then f32.min xs[i] xs[i ^ d] else f32.max xs[i] xs[i ^ d])
  in vjp (\xss -> f32.sum (map (\xs -> f32.sum (map2 (*) (sort xs) w)) xss)) xss 1
