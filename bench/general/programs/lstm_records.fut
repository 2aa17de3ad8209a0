-- An LSTM over sequences, one at a time: records for weights and state, a function for gates.
type gate [h] [d] = {w: [h][d]f32, u: [h][h]f32, b: [h]f32}
type state [h] = {c: [h]f32, out: [h]f32}

def affine [h] [d] (g: gate [h] [d]) (x: [d]f32) (y: [h]f32) : [h]f32 =
  map3 (\w u b -> b + f32.sum (map2 (*) w x) + f32.sum (map2 (*) u y)) g.w g.u g.b

def logistic (x: f32) = 1 / (1 + f32.exp (-x))

def step [h] [d]
         (i: gate [h] [d])
         (f: gate [h] [d])
         (g: gate [h] [d])
         (o: gate [h] [d])
         (s: state [h])
         (x: [d]f32) : state [h] =
  let a = map logistic (affine i x s.out)
  let b = map logistic (affine f x s.out)
  let e = map f32.tanh (affine g x s.out)
  let k = map logistic (affine o x s.out)
  let c = map4 (\a b e c -> b * c + a * e) a b e s.c
  in {c, out = map2 (\k c -> k * f32.tanh c) k c}

entry primal [n] [t] [d] [h] (xs: [n][t][d]f32) (w: [4][h][d]f32) (u: [4][h][h]f32) (b: [4][h]f32) : f32 =
  let gate (k: i64) : gate [h] [d] = {w = w[k], u = u[k], b = b[k]}
  let one seq =
    let zero: state [h] = {c = replicate h 0, out = replicate h 0}
    let last = foldl (step (gate 0) (gate 1) (gate 2) (gate 3)) zero seq
    in f32.sum (map (\v -> v * v) last.out)
  in f32.sum (map one xs) / f32.i64 n

entry gradient [n] [t] [d] [h] (xs: [n][t][d]f32) (w: [4][h][d]f32) (u: [4][h][h]f32) (b: [4][h]f32) =
  vjp (\(w, u, b) -> primal xs w u b) (w, u, b) 1
