-- A sum for each element of a result of three dimensions, none of which is a row of anything: the return sweep gets the sums
-- of the other, as it has the result.  Terms have a choice in them.  The return sweep needs the whole sum of squares.
-- structure soac: screma.reduce 3
-- structure soac,keep_sums: screma.reduce 2
-- ==
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] [1f64, -1f64, 0.5f64] }
-- output { [[251f64, -251f64, 1004f64], [627.5f64, -627.5f64, 1945.25f64]] [15185.5f64, 3639.5f64, 4518f64] }
def layer [h] [w] (x: [h][w]f64) (k: [w]f64) : [2][h][w]f64 =
  tabulate_3d 2 h w (\c i j ->
                       f64.max 0 (f64.i64 c + f64.sum (map (\l -> if j + l < w then k[l] * x[i, j + l] else 0) (iota w))))

entry main [h] [w] (x: [h][w]f64) (k: [w]f64) : ([h][w]f64, [w]f64) =
  let loss x k = let s = f64.sum (map (\y -> y * y) (flatten_3d (layer x k))) in s * s / 4
  in vjp (\(x, k) -> loss x k) (x, k) 1
