-- A batch of trajectories of a differential equation whose field is a small network, by the classical
-- Runge-Kutta method; the distance of the ends from targets.
type params [d][h] = {w1: [h][d]f32, b1: [h]f32, w2: [d][h]f32, b2: [d]f32}

def dense [n][m] (w: [n][m]f32) (b: [n]f32) (x: [m]f32) : [n]f32 =
  map2 (\row c -> c + f32.sum (map2 (*) row x)) w b

def field [d][h] (p: params [d][h]) (x: [d]f32) : [d]f32 =
  dense p.w2 p.b2 (map f32.tanh (dense p.w1 p.b1 x))

def axpy [d] (a: f32) (x: [d]f32) (y: [d]f32) : [d]f32 = map2 (\u v -> a * u + v) x y

def step [d][h] (p: params [d][h]) (dt: f32) (x: [d]f32) : [d]f32 =
  let k1 = field p x
  let k2 = field p (axpy (dt / 2) k1 x)
  let k3 = field p (axpy (dt / 2) k2 x)
  let k4 = field p (axpy dt k3 x)
  in map5 (\x a b c d -> x + dt / 6 * (a + 2 * b + 2 * c + d)) x k1 k2 k3 k4

entry primal [n][d][h]
             (x0: [n][d]f32) (target: [n][d]f32) (w1: [h][d]f32) (b1: [h]f32) (w2: [d][h]f32)
             (b2: [d]f32) (steps: i64) : f32 =
  let p: params [d][h] = {w1, b1, w2, b2}
  let dt = 1 / f32.i64 steps
  let ends = map (\x -> loop x for _i < steps do step p dt x) x0
  in f32.sum (map2 (\a b -> f32.sum (map2 (\u v -> (u - v) * (u - v)) a b)) ends target) / f32.i64 n

entry gradient [n][d][h]
               (x0: [n][d]f32) (target: [n][d]f32) (w1: [h][d]f32) (b1: [h]f32) (w2: [d][h]f32)
               (b2: [d]f32) (steps: i64) : ([n][d]f32, [h][d]f32, [h]f32, [d][h]f32, [d]f32) =
  vjp (\(x0, w1, b1, w2, b2) -> primal x0 target w1 b1 w2 b2 steps) (x0, w1, b1, w2, b2) 1
