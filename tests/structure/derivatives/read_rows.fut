-- Rows of a layer that the next one's return sweep wants are read by its own, not computed again:
-- two sums of products forwards and three backwards.
-- structure soac: loop 2, screma.reduce 3
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64], [-1f64, 0.5f64]] [[0.1f64, 0.2f64], [-0.3f64, 0.4f64]] [[0.5f64, -1f64]] [0.25f64] }
def layer [b][n][m] (w: [n][m]f64) (bias: f64) (xs: [b][m]f64) : [b][n]f64 =
  map (\x -> loop out = replicate n bias for i < n do
               out with [i] = f64.tanh (loop s = out[i] for j < m do s + w[i, j] * x[j]))
      xs
entry main [b][k][n][m] (xs: [b][m]f64) (v: [n][m]f64) (w: [k][n]f64) (c: [k]f64) : ([n][m]f64, [k][n]f64) =
  let loss v w = f64.sum (map (\r -> f64.sum (map2 (*) c r) ** 2) (layer w 0.5 (layer v 0 xs)))
  in vjp (\(v, w) -> loss v w) (v, w) 1
