-- Self-attention with several heads: projections, softmax of scaled products for each head, and the
-- projection of what the heads give side by side.
def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

def softmax [n] (x: [n]f32) : [n]f32 =
  let m = f32.maximum x
  let e = map (\v -> f32.exp (v - m)) x
  let z = f32.sum e
  in map (/ z) e

def head [s][k] (q: [s][k]f32) (key: [s][k]f32) (v: [s][k]f32) : [s][k]f32 =
  let scale = 1 / f32.sqrt (f32.i64 k)
  let weights = map (\row -> softmax (map (* scale) row)) (matmul q (transpose key))
  in matmul weights v

-- The columns of each head.
def split [s][e] (heads: i64) (x: [s][e]f32) : [heads][s][e / heads]f32 =
  tabulate_3d heads s (e / heads) (\h i j -> x[i, h * (e / heads) + j])

def attend [s][e] (heads: i64) (wq: [e][e]f32) (wk: [e][e]f32) (wv: [e][e]f32) (wo: [e][e]f32)
           (x: [s][e]f32) : [s][e]f32 =
  let q = split heads (matmul x wq)
  let k = split heads (matmul x wk)
  let v = split heads (matmul x wv)
  let out = map3 head q k v
  in matmul (tabulate_2d s e (\i j -> out[j / (e / heads), i, j % (e / heads)])) wo

entry primal [b][s][e]
             (x: [b][s][e]f32) (wq: [e][e]f32) (wk: [e][e]f32) (wv: [e][e]f32) (wo: [e][e]f32)
             (heads: i64) : f32 =
  let y = map (attend heads wq wk wv wo) x
  in f32.sum (map (\v -> v * v) (flatten_3d y)) / f32.i64 (b * s * e)

entry gradient [b][s][e]
               (x: [b][s][e]f32) (wq: [e][e]f32) (wk: [e][e]f32) (wv: [e][e]f32) (wo: [e][e]f32)
               (heads: i64) : ([b][s][e]f32, [e][e]f32, [e][e]f32, [e][e]f32, [e][e]f32) =
  vjp (\(x, q, k, v, o) -> primal x q k v o heads) (x, wq, wk, wv, wo) 1
