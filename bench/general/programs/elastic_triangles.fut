-- The energy of an elastic sheet of triangles (neo-Hookean): each reads its three vertices; the
-- derivative is the force on each vertex, and what the material's two constants do.
type m2 = {a: f64, b: f64, c: f64, d: f64}

def det (m: m2) : f64 = m.a * m.d - m.b * m.c

def edges [n] (xs: [n][2]f64) (t: [3]i64) : m2 =
  let (p, q, r) = (xs[t[0]], xs[t[1]], xs[t[2]])
  in {a = q[0] - p[0], b = r[0] - p[0], c = q[1] - p[1], d = r[1] - p[1]}

def times (x: m2) (y: m2) : m2 =
  { a = x.a * y.a + x.b * y.c
  , b = x.a * y.b + x.b * y.d
  , c = x.c * y.a + x.d * y.c
  , d = x.c * y.b + x.d * y.d }

def inverse (m: m2) : m2 =
  let k = 1 / det m in {a = k * m.d, b = -k * m.b, c = -k * m.c, d = k * m.a}

entry primal [n][k] (rest: [n][2]f64) (xs: [n][2]f64) (triangles: [k][3]i64) (lame: [2]f64) : f64 =
  let one t =
    let r = edges rest t
    let f = times (edges xs t) (inverse r)
    let j = det f
    let i1 = f.a * f.a + f.b * f.b + f.c * f.c + f.d * f.d
    let lj = f64.log j
    in 0.5 * f64.abs (det r) * (0.5 * lame[0] * (i1 - 2) - lame[0] * lj + 0.5 * lame[1] * lj * lj)
  in f64.sum (map one triangles)

entry gradient [n][k]
               (rest: [n][2]f64) (xs: [n][2]f64) (triangles: [k][3]i64) (lame: [2]f64)
             : ([n][2]f64, [2]f64) =
  vjp (\(x, l) -> primal rest x triangles l) (xs, lame) 1
