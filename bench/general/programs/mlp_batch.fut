-- A network with two hidden layers on a whole batch: products of matrices, weights with inputs first.
def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

def layer [n][m][p] (w: [m][p]f32) (b: [p]f32) (x: [n][m]f32) : [n][p]f32 =
  map (map2 (+) b) (matmul x w)

def cross_entropy [o] (z: [o]f32) (y: i64) : f32 =
  let m = f32.maximum z
  in m + f32.log (f32.sum (map (\v -> f32.exp (v - m)) z)) - z[y]

entry primal [n][i][h1][h2][o]
             (x: [n][i]f32) (label: [n]i64)
             (w1: [i][h1]f32) (b1: [h1]f32) (w2: [h1][h2]f32) (b2: [h2]f32) (w3: [h2][o]f32)
             (b3: [o]f32) : f32 =
  let a1 = map (map f32.tanh) (layer w1 b1 x)
  let a2 = map (map f32.tanh) (layer w2 b2 a1)
  let z = layer w3 b3 a2
  in f32.sum (map2 cross_entropy z label) / f32.i64 n

entry gradient [n][i][h1][h2][o]
               (x: [n][i]f32) (label: [n]i64)
               (w1: [i][h1]f32) (b1: [h1]f32) (w2: [h1][h2]f32) (b2: [h2]f32) (w3: [h2][o]f32)
               (b3: [o]f32) : ([i][h1]f32, [h1]f32, [h1][h2]f32, [h2]f32, [h2][o]f32, [o]f32) =
  vjp (\(w1, b1, w2, b2, w3, b3) -> primal x label w1 b1 w2 b2 w3 b3) (w1, b1, w2, b2, w3, b3) 1
