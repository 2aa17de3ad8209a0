-- Trajectories of a field that is a network, by Runge-Kutta: all at once as the columns of a matrix,
-- one loop over time around products of matrices.
def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  let bt = transpose b
  in map (\row -> map (\col -> reduce (+) 0 (map2 (*) row col)) bt) a

def with_bias [n][p] (b: [n]f32) (a: [n][p]f32) : [n][p]f32 = map2 (\c row -> map (+ c) row) b a

def plus [n][p] (a: [n][p]f32) (s: f32) (b: [n][p]f32) : [n][p]f32 =
  map2 (map2 (\u v -> u + s * v)) a b

entry primal [n][d][h]
             (x0: [d][n]f32) (target: [d][n]f32) (w1: [h][d]f32) (b1: [h]f32) (w2: [d][h]f32)
             (b2: [d]f32) (steps: i64) : f32 =
  let f x = with_bias b2 (matmul w2 (map (map f32.tanh) (with_bias b1 (matmul w1 x))))
  let dt = 1 / f32.i64 steps
  let end =
    loop x = x0 for _i < steps do
      let k1 = f x
      let k2 = f (plus x (dt / 2) k1)
      let k3 = f (plus x (dt / 2) k2)
      let k4 = f (plus x dt k3)
      in plus (plus (plus (plus x (dt / 6) k1) (dt / 3) k2) (dt / 3) k3) (dt / 6) k4
  in f32.sum (map2 (\a b -> (a - b) * (a - b)) (flatten end) (flatten target)) / f32.i64 n

entry gradient [n][d][h]
               (x0: [d][n]f32) (target: [d][n]f32) (w1: [h][d]f32) (b1: [h]f32) (w2: [d][h]f32)
               (b2: [d]f32) (steps: i64) : ([d][n]f32, [h][d]f32, [h]f32, [d][h]f32, [d]f32) =
  vjp (\(x0, w1, b1, w2, b2) -> primal x0 target w1 b1 w2 b2 steps) (x0, w1, b1, w2, b2) 1
