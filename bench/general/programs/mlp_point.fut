-- A network with two hidden layers (tanh) and cross entropy, written for one example and mapped over
-- the batch.
def dense [n][m] (w: [n][m]f32) (b: [n]f32) (x: [m]f32) : [n]f32 =
  map2 (\row c -> c + f32.sum (map2 (*) row x)) w b

def logsumexp [n] (xs: [n]f32) : f32 =
  let m = f32.maximum xs
  in m + f32.log (f32.sum (map (\x -> f32.exp (x - m)) xs))

entry primal [n][i][h1][h2][o]
             (x: [n][i]f32) (label: [n]i64)
             (w1: [h1][i]f32) (b1: [h1]f32) (w2: [h2][h1]f32) (b2: [h2]f32) (w3: [o][h2]f32)
             (b3: [o]f32) : f32 =
  let loss x y =
    let z = dense w3 b3 (map f32.tanh (dense w2 b2 (map f32.tanh (dense w1 b1 x))))
    in logsumexp z - z[y]
  in f32.sum (map2 loss x label) / f32.i64 n

entry gradient [n][i][h1][h2][o]
               (x: [n][i]f32) (label: [n]i64)
               (w1: [h1][i]f32) (b1: [h1]f32) (w2: [h2][h1]f32) (b2: [h2]f32) (w3: [o][h2]f32)
               (b3: [o]f32) : ([h1][i]f32, [h1]f32, [h2][h1]f32, [h2]f32, [o][h2]f32, [o]f32) =
  vjp (\(w1, b1, w2, b2, w3, b3) -> primal x label w1 b1 w2 b2 w3 b3) (w1, b1, w2, b2, w3, b3) 1
