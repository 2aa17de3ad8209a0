-- Convolution, pooling and softmax.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def conv (k: [3]f64) (x: [8]f64) = map (\i -> f64.sum (map (\j -> k[j] * x[i + j]) (iota 3))) (iota 6)
def pool (x: [6]f64) = map (\i -> f64.max x[2 * i] x[2 * i + 1]) (iota 3)
def f (p: [11]f64) =
  let y = pool (map f64.tanh (conv (p[0:3] :> [3]f64) (p[3:11] :> [8]f64)))
  let e = map f64.exp y
  in map (/ f64.sum e) e

entry main =
  [check f (map (\i -> f64.sin (3.1 * f64.i64 i)) (iota 11))]
