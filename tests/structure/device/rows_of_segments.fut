-- Blocks do rows in which segments of lengths that are read are added up: how long those are is known in the block
-- alone, so the host does not ask it.
-- structure soac,gpu: loop.blocks 1, loop.kernel 1
-- ==
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] [0i64, 1i64, 3i64] [1i64, 2i64, 0i64] }
-- output { [36f64, 225f64] }
-- input { empty([0][3]f64) [0i64] [1i64] } output { empty([0]f64) }
entry main [n][m][k] (xs: [n][m]f64) (from: [k]i64) (length: [k]i64) : [n]f64 =
  map (\x ->
         let ys = map2 (\o l -> f64.sum x[o:o + l]) from length
         let s = f64.sum ys
         in f64.sum (map (* s) ys))
      xs
