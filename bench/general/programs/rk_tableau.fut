-- Trajectories of a field that is a network, by any explicit method that a tableau describes: the
-- stages are kept in an array that a loop fills.
type tableau [s] = {a: [s][s]f64, b: [s]f64}

def classical : tableau [4] =
  { a = [[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]]
  , b = [1 / 6, 1 / 3, 1 / 3, 1 / 6] }

def step [s][d] (t: tableau [s]) (f: [d]f64 -> [d]f64) (dt: f64) (x: [d]f64) : [d]f64 =
  let stages =
    loop ks = replicate s (replicate d 0) for i < s do
      let at = tabulate d (\c -> x[c] + dt * f64.sum (map2 (*) t.a[i, :i] ks[:i, c]))
      in ks with [i] = f at
  in tabulate d (\c -> x[c] + dt * f64.sum (map2 (*) t.b stages[:, c]))

def affine [n][m] (w: [n][m]f64) (b: [n]f64) (x: [m]f64) : [n]f64 =
  map2 (\row c -> loop s = c for i < m do s + row[i] * x[i]) w b

entry primal [n][d][h]
             (x0: [n][d]f64) (target: [n][d]f64) (w1: [h][d]f64) (b1: [h]f64) (w2: [d][h]f64)
             (b2: [d]f64) (steps: i64) : f64 =
  let field x = affine w2 b2 (map f64.tanh (affine w1 b1 x))
  let run x = copy (iterate (i32.i64 steps) (step classical field (1 / f64.i64 steps)) x)
  let error x goal = f64.sum (map2 (\u v -> (u - v) ** 2) (run x) goal)
  in reduce (+) 0 (map2 error x0 target) / f64.i64 n

entry gradient [n][d][h]
               (x0: [n][d]f64) (target: [n][d]f64) (w1: [h][d]f64) (b1: [h]f64) (w2: [d][h]f64)
               (b2: [d]f64) (steps: i64) : ([n][d]f64, [h][d]f64, [h]f64, [d][h]f64, [d]f64) =
  vjp (\(x0, w1, b1, w2, b2) -> primal x0 target w1 b1 w2 b2 steps) (x0, w1, b1, w2, b2) 1
