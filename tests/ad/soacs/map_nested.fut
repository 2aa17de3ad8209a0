-- Maps in maps, with variables from each level around.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = flatten (map (\a -> map (\b -> a * f64.sin b + x[0]) x) x)
def g [n] (x: [n]f64) =
  flatten (map (\a -> let c = a * a in flatten (map (\b -> map (\d -> b * c - d) x) x)) x)

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (f x)) [0.7, -1.3, 2.1]]
