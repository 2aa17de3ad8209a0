-- The cost of k-means in its centres: gradient, and the Hessian along a direction.
-- ==
-- input { } output { [true, true] }
import "lib/fd"

def ps : [6][2]f64 = [[0.1, 0.2], [1.5, -0.3], [0.4, 1.9], [-1.2, 0.6], [2.2, 0.8], [-0.7, -1.4]]
def cost [n] (x: [n]f64) =
  let cs = unflatten (x[:4] :> [2 * 2]f64)
  let d2 p c = f64.sum (map2 (\a b -> (a - b) ** 2) p c)
  in f64.sum (map (\p -> f64.minimum (map (d2 p) cs)) ps)

entry main =
  [check_scalar cost [0.5, 0.6, -0.4, -0.3],
   check_hessian cost [0.5, 0.6, -0.4, -0.3]]
