-- A convolution, a pooling and a dense layer.
-- ==
-- input { } output { [true] }
import "lib/fd"

def conv [n][k] (w: [k]f64) (x: [n]f64) : []f64 =
  tabulate (n - k + 1) (\i -> f64.sum (map2 (*) w (sized k x[i:i + k])))
def pool [n] (x: [n]f64) : []f64 = tabulate (n / 2) (\i -> f64.max x[2 * i] x[2 * i + 1])
def f [n] (p: [n]f64) =
  let h = pool (map (\v -> f64.max 0 v) (conv p[:3] p[3:10]))
  in f64.tanh (f64.sum (map2 (*) (sized 2 h) (sized 2 p[10:12])))

entry main =
  [check_scalar f [0.3, -0.2, 0.9, 0.1, 1.2, -0.7, 0.8, 0.33, 2, -0.4, 0.6, 0.7]]
