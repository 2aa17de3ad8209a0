-- Reductions with general operators.
-- ==
-- input { } output { [true, true, true, true, true] }
import "lib/fd"

def affine (a1, b1) (a2, b2) : (f64, f64) = (a1 * a2, b1 * a2 + b2)
def line [n] (x: [n]f64) = let (a, b) = reduce affine (1, 0) (map (\v -> (v, f64.sin v)) x) in [a, b]
def logsum [n] (x: [n]f64) = reduce (\a b -> f64.log (f64.exp a + f64.exp b)) (-f64.inf) x
def mat [n] (x: [n]f64) =
  let mul (a: [2][2]f64) (b: [2][2]f64) =
    map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
  let m v = [[v, 1], [f64.cos v, v * v]]
  in flatten (reduce mul [[1, 0], [0, 1]] (map m x))
def hyp [n] (x: [n]f64) = reduce f64.hypot 0 x
def either [n] (x: [n]f64) = reduce (\a b -> a + b - a * b) 0 x

entry main =
  [check line [0.7, -1.3, 2.1, 0.4, -0.6],
   check mat [0.7, -1.3, 2.1],
   check_scalar hyp [0.7, 1.3, 2.1, 0.4, 0.6],
   check_scalar either [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar (\x -> logsum (map (+ 0) x)) [0.3]]
