-- Nests of maps around reductions: matrix products of all orders.
-- ==
-- input { } output { [true, true, true, true, true] }
import "../fd/lib/fd"

def m [n] (x: [n]f64) = map (\a -> map (\b -> a * b + f64.sin a) x) x
def mm [n] (x: [n]f64) =
  let a = m x
  let b = transpose (m (reverse x))
  in flatten (map (\r -> map (\c -> f64.sum (map2 (*) r c)) b) a)
def mv [n] (x: [n]f64) = map (\r -> f64.sum (map2 (*) r x)) (m x)
def vm [n] (x: [n]f64) = map (\c -> f64.sum (map2 (*) c x)) (transpose (m x))
def outer [n] (x: [n]f64) = flatten (map (\a -> map (\b -> a - b * b) x) x)

entry main =
  [check mm [0.7, -1.3, 2.1],
   check mv [0.7, -1.3, 2.1],
   check vm [0.7, -1.3, 2.1],
   check outer [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (mv x)) [0.7, -1.3, 2.1]]
