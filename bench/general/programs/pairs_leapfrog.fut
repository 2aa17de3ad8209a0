-- Bodies under gravity for a few steps (leapfrog), tuples throughout; how far they are from the middle
-- in the end, by where and how fast they began.
type v3 = (f32, f32, f32)

def add ((a, b, c): v3) ((x, y, z): v3) : v3 = (a + x, b + y, c + z)
def sub ((a, b, c): v3) ((x, y, z): v3) : v3 = (a - x, b - y, c - z)
def scale (s: f32) ((a, b, c): v3) : v3 = (s * a, s * b, s * c)
def dot ((a, b, c): v3) ((x, y, z): v3) : f32 = a * x + b * y + c * z

def pull (p: v3) (q: v3, m: f32) : v3 =
  let r = sub q p
  let d2 = dot r r + 0.05
  in scale (m / (d2 * f32.sqrt d2)) r

def accelerations [n] (ps: [n]v3) (ms: [n]f32) : [n]v3 =
  map (\p -> reduce add (0, 0, 0) (map (pull p) (zip ps ms))) ps

def vector (x: [3]f32) : v3 = (x[0], x[1], x[2])

entry primal [n] (pos: [n][3]f32) (vel: [n][3]f32) (mass: [n]f32) (steps: i64) : f32 =
  let dt = 0.01
  let (ps, _) =
    loop (ps, vs) = (map vector pos, map vector vel) for _i < steps do
      let vs = map2 (\v a -> add v (scale dt a)) vs (accelerations ps mass)
      in (map2 (\p v -> add p (scale dt v)) ps vs, vs)
  in f32.sum (map (\p -> dot p p) ps) / f32.i64 n

entry gradient [n]
               (pos: [n][3]f32) (vel: [n][3]f32) (mass: [n]f32) (steps: i64) : ([n][3]f32, [n][3]f32, [n]f32) =
  vjp (\(p, v, m) -> primal p v m steps) (pos, vel, mass) 1
