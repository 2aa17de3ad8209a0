-- The density of points under a normalising flow of affine coupling layers: halves change places from
-- layer to layer; each layer has a small network for scale and shift.
type layer [d][h] = {w: [h][d]f32, b: [h]f32, s: [d][h]f32, t: [d][h]f32}

def couple [d][h] (l: layer [d][h]) (a: [d]f32, b: [d]f32, logdet: f32) : ([d]f32, [d]f32, f32) =
  let hidden = map2 (\r c -> f32.tanh (c + f32.sum (map2 (*) r a))) l.w l.b
  let s = map (\r -> f32.tanh (f32.sum (map2 (*) r hidden))) l.s
  let t = map (\r -> f32.sum (map2 (*) r hidden)) l.t
  in (map3 (\v s t -> v * f32.exp s + t) b s t, a, logdet + f32.sum s)

def density [d][h][k] (layers: [k](layer [d][h])) (a: [d]f32) (b: [d]f32) : f32 =
  let (a, b, logdet) = loop x = (a, b, 0) for l in layers do couple l x
  let sq = f32.sum (map (\v -> v * v) a) + f32.sum (map (\v -> v * v) b)
  in logdet - 0.5 * sq - f32.i64 d * f32.log (2 * f32.pi)

entry primal [n][d][k][h]
             (xs: [n][2][d]f32) (w: [k][h][d]f32) (b: [k][h]f32) (s: [k][d][h]f32) (t: [k][d][h]f32) : f32 =
  let layers: [k](layer [d][h]) = map4 (\w b s t -> {w, b, s, t}) w b s t
  in -(f32.sum (map (\x -> density layers x[0] x[1]) xs)) / f32.i64 n

entry gradient [n][d][k][h]
               (xs: [n][2][d]f32) (w: [k][h][d]f32) (b: [k][h]f32) (s: [k][d][h]f32) (t: [k][d][h]f32)
             : ([k][h][d]f32, [k][h]f32, [k][d][h]f32, [k][d][h]f32) =
  vjp (\(w, b, s, t) -> primal xs w b s t) (w, b, s, t) 1
