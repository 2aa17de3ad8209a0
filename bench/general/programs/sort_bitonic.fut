-- The distance of distributions on a line: samples of both sorted by a bitonic network (lengths are
-- powers of two), then compared.
def sort [n] (bits: i64) (xs: [n]f32) : [n]f32 =
  loop xs for a < bits do
    loop xs for b < a + 1 do
      let d = 1 << (a - b)
      in tabulate n (\i ->
                       let j = i ^ d
                       let up = (i >> (a + 1)) & 1 == 0
                       let low = i & d == 0
                       in if up == low then f32.min xs[i] xs[j] else f32.max xs[i] xs[j])

entry primal [b][n] (xs: [b][n]f32) (ys: [b][n]f32) (bits: i64) : f32 =
  let one x y = f32.sum (map2 (\u v -> (u - v) * (u - v)) (sort bits x) (sort bits y))
  in f32.sum (map2 one xs ys) / f32.i64 (b * n)

entry gradient [b][n] (xs: [b][n]f32) (ys: [b][n]f32) (bits: i64) : [b][n]f32 =
  vjp (\x -> primal x ys bits) xs 1
