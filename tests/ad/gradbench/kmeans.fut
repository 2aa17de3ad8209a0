-- K-means: cost, gradient and the diagonal of the Hessian.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def points = [[0.1, 0.4], [1.2, -0.3], [-0.7, 0.2], [0.3, 1.3], [0.9, 0.8f64]]
def cost [k] (c: [k][2]f64) =
  f64.sum (map (\p -> f64.minimum (map (\q -> f64.sum (map2 (\a b -> (a - b) ** 2) p q)) c)) points)
def start = [[0.0, 0.5], [1.0, 0.0]]
def grad c = vjp cost c 1
def diagonal [k] (c: [k][2]f64) = jvp grad c (replicate k [1, 1])
def f (x: [4]f64) = cost (unflatten (x :> [2 * 2]f64))

entry main =
  [check_scalar f [0, 0.5, 1, 0],
   diagonal start == [[6, 6], [4, 4]],
   f64.abs (f64.sum (flatten (grad start)) - 2 * (3 * 0.5 - (0.1 - 0.7 + 0.3) - (0.4 + 0.2 + 1.3) + 2 * 1 - (1.2 + 0.9) - (-0.3 + 0.8))) < 1e-9]
