-- A network of two layers, the gradient by all weights at once.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

type net = {w1: [3][2]f64, b1: [3]f64, w2: [3]f64, b2: f64}
def apply (n: net) (x: [2]f64) = n.b2 + f64.sum (map2 (*) n.w2 (map2 (\w b -> f64.tanh (b + f64.sum (map2 (*) w x))) n.w1 n.b1))
def data = [([0, 0f64], 0f64), ([0, 1], 1), ([1, 0], 1), ([1, 1], 0)]
def loss (n: net) = f64.sum (map (\(x, y) -> (apply n x - y) ** 2) data)
def unpack (p: [13]f64) : net = {w1 = unflatten (p[0:6] :> [3 * 2]f64), b1 = p[6:9] :> [3]f64, w2 = p[9:12] :> [3]f64, b2 = p[12]}
def p0 = map (\i -> f64.sin (2.3 * f64.i64 i)) (iota 13)
def train = loop n = unpack p0 for _i < 20i32 do
  let g = vjp loss n 1
  in {w1 = map2 (map2 (\a b -> a - 0.05 * b)) n.w1 g.w1, b1 = map2 (\a b -> a - 0.05 * b) n.b1 g.b1, w2 = map2 (\a b -> a - 0.05 * b) n.w2 g.w2, b2 = n.b2 - 0.05 * g.b2}

entry main =
  [check_scalar (\p -> loss (unpack p)) p0,
   loss train < loss (unpack p0),
   check_hessian (\p -> loss (unpack p)) p0]
