-- Operators on arrays: element by element, and small matrices.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "../fd/lib/fd"

def rows [n] (x: [n]f64) = map (\a -> map (\b -> a + f64.sin b) x) x
def sum [n] (x: [n]f64) = reduce (map2 (+)) (replicate n 0) (rows x)
def product [n] (x: [n]f64) = reduce (map2 (*)) (replicate n 1) (rows x)
def greatest [n] (x: [n]f64) = reduce (map2 f64.max) (replicate n f64.lowest) (rows x)
def mixed [n] (x: [n]f64) = reduce (map2 (\a b -> a + b - a * b)) (replicate n 0) (rows x)
def mul (a: [2][2]f64) (b: [2][2]f64) = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
def matrices [n] (x: [n]f64) =
  flatten (reduce mul [[1, 0], [0, 1]] (map (\v -> [[v, 1], [0.5, f64.cos v]]) x))

entry main =
  [check sum [0.7, -1.3, 2.1],
   check product [0.7, -1.3, 2.1],
   check greatest [0.7, -1.3, 2.1],
   check mixed [0.7, -1.3, 2.1],
   check matrices [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (matrices x)) [0.7, -1.3, 2.1]]
