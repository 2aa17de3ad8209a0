-- A gated recurrent network over sequences, one example at a time: gates are functions of a record of
-- weights; squared error of the last output.
type gate [h][i] = {w: [h][i]f32, u: [h][h]f32, b: [h]f32}

def pre [h][i] (g: gate [h][i]) (x: [i]f32) (s: [h]f32) : [h]f32 =
  map3 (\w u b -> b + f32.sum (map2 (*) w x) + f32.sum (map2 (*) u s)) g.w g.u g.b

def sigmoid (x: f32) : f32 = 1 / (1 + f32.exp (-x))

entry primal [n][t][i][h]
             (xs: [n][t][i]f32) (ys: [n][h]f32) (w: [3][h][i]f32) (u: [3][h][h]f32) (b: [3][h]f32) : f32 =
  let gate (k: i64) : gate [h][i] = {w = w[k], u = u[k], b = b[k]}
  let step s x =
    let z = map sigmoid (pre (gate 0) x s)
    let r = map sigmoid (pre (gate 1) x s)
    let c = map f32.tanh (pre (gate 2) x (map2 (*) r s))
    in map3 (\z c s -> (1 - z) * s + z * c) z c s
  let last x = foldl step (replicate h 0) x
  in f32.sum (map2 (\x y -> f32.sum (map2 (\a b -> (a - b) ** 2) (last x) y)) xs ys) / f32.i64 n

entry gradient [n][t][i][h]
               (xs: [n][t][i]f32) (ys: [n][h]f32) (w: [3][h][i]f32) (u: [3][h][h]f32) (b: [3][h]f32)
             : ([3][h][i]f32, [3][h][h]f32, [3][h]f32) =
  vjp (\(w, u, b) -> primal xs ys w u b) (w, u, b) 1
