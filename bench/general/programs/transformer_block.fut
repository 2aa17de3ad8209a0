-- Transformer blocks on sequences: normalised rows, one head of attention, a network of two layers,
-- connections around both; the blocks' weights are the elements of arrays that a loop goes through.
def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

def plus [n][m] (a: [n][m]f32) (b: [n][m]f32) : [n][m]f32 = map2 (map2 (+)) a b

def norm [n] (x: [n]f32) : [n]f32 =
  let mean = f32.sum x / f32.i64 n
  let c = map (\v -> v - mean) x
  let var = f32.sum (map (\v -> v * v) c) / f32.i64 n
  in map (\v -> v / f32.sqrt (var + 1e-5)) c

def softmax [n] (x: [n]f32) : [n]f32 =
  let e = map (\v -> f32.exp (v - f32.maximum x)) x in map (\v -> v / f32.sum e) e

def gelu (x: f32) : f32 = 0.5 * x * (1 + f32.tanh (0.7978846 * (x + 0.044715 * x * x * x)))

def block [s][e][h] (wq: [e][e]f32) (wk: [e][e]f32) (wv: [e][e]f32) (w1: [e][h]f32) (w2: [h][e]f32)
                    (x: [s][e]f32) : [s][e]f32 =
  let y = map norm x
  let scores = matmul (matmul y wq) (transpose (matmul y wk))
  let weights = map (\r -> softmax (map (/ f32.sqrt (f32.i64 e)) r)) scores
  let x = plus x (matmul weights (matmul y wv))
  in plus x (matmul (map (map gelu) (matmul (map norm x) w1)) w2)

entry primal [b][s][l][e][h]
             (x: [b][s][e]f32) (wq: [l][e][e]f32) (wk: [l][e][e]f32) (wv: [l][e][e]f32) (w1: [l][e][h]f32)
             (w2: [l][h][e]f32) : f32 =
  let run x = loop x for i < l do block wq[i] wk[i] wv[i] w1[i] w2[i] x
  let y = map (\x -> map norm (run x)) x
  in f32.sum (map (\v -> f32.abs v * v * v) (flatten_3d y)) / f32.i64 (b * s * e)

entry gradient [b][s][l][e][h]
               (x: [b][s][e]f32) (wq: [l][e][e]f32) (wk: [l][e][e]f32) (wv: [l][e][e]f32)
               (w1: [l][e][h]f32) (w2: [l][h][e]f32)
             : ([l][e][e]f32, [l][e][e]f32, [l][e][e]f32, [l][e][h]f32, [l][h][e]f32) =
  vjp (\(q, k, v, a, b) -> primal x q k v a b) (wq, wk, wv, w1, w2) 1
