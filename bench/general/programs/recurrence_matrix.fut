-- A recurrence of pairs of numbers, h' = A h + b with a two by two matrix for each step, by one scan of
-- affine maps.
type affine = {a: f32, b: f32, c: f32, d: f32, u: f32, v: f32}

def identity : affine = {a = 1, b = 0, c = 0, d = 1, u = 0, v = 0}

-- First f, then g.
def after (f: affine) (g: affine) : affine =
  { a = g.a * f.a + g.b * f.c
  , b = g.a * f.b + g.b * f.d
  , c = g.c * f.a + g.d * f.c
  , d = g.c * f.b + g.d * f.d
  , u = g.a * f.u + g.b * f.v + g.u
  , v = g.c * f.u + g.d * f.v + g.v }

entry primal [t] (m: [t][2][2]f32) (b: [t][2]f32) (c: [t][2]f32) : f32 =
  let step (m: [2][2]f32) (b: [2]f32) : affine =
    {a = m[0, 0], b = m[0, 1], c = m[1, 0], d = m[1, 1], u = b[0], v = b[1]}
  let states = scan after identity (map2 step m b)
  in f32.sum (map2 (\s (w: [2]f32) -> w[0] * s.u + w[1] * s.v) states c) / f32.i64 t

entry gradient [t] (m: [t][2][2]f32) (b: [t][2]f32) (c: [t][2]f32) : ([t][2][2]f32, [t][2]f32, [t][2]f32) =
  vjp (\(m, b, c) -> primal m b c) (m, b, c) 1
