-- A small recurrent network with diagonal weights.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def sig (v: f64) = 1 / (1 + f64.exp (-v))
def cell (w: [4]f64) (b: [4]f64) (h: f64) (c: f64) (x: f64) =
  let c' = c * sig (x * w[0] + b[0]) + sig (h * w[1] + b[1]) * f64.tanh (h * w[3] + b[3])
  in (sig (x * w[2] + b[2]) * f64.tanh c', c')
def loss (p: [12]f64) =
  let w = p[0:4]
  let b = p[4:8]
  let seq = [[1, 0], [0, 1], [1, 1], [0, 0f64]]
  let (_, _, total) = loop (h, c, total) = ([0.1, 0.2], [0.3, -0.1], 0) for t < 3i64 do
    let (h, c) = unzip (map3 (\h c x -> cell (w :> [4]f64) (b :> [4]f64) h c (x * p[8])) h c seq[t])
    let y = map (\v -> v * p[9] + p[10]) h
    let z = f64.log (2 + f64.sum (map f64.exp y))
    in (h, c, total + f64.sum (map2 (\s y -> s * (y - z)) seq[t + 1] y) + p[11] * 0)
  in -total / 6

entry main =
  [check_scalar loss (map (\i -> f64.sin (1.3 * f64.i64 i)) (iota 12)),
   check_hessian loss (map (\i -> 0.4 * f64.cos (f64.i64 i)) (iota 12))]
