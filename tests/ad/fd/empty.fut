-- Empty arrays in every place.
-- ==
-- input { } output { [true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) =
  let none = filter (> 100) x
  let s = f64.sum none + f64.product none + reduce f64.min 3 none
  let t = f64.sum (scan (+) 0 none) + f64.sum (hist (+) 1 0 [] [])
  in map (+ (s + t)) x
def rows [n] (x: [n]f64) = flatten (replicate 0 x) ++ x ++ flatten (map (const (x[0:0])) x)
def zero_loop [n] (x: [n]f64) = loop a = x for _v in filter (> 100) x do map (* 2) a

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check rows [0.7, -1.3, 2.1, 0.4, -0.6],
   check zero_loop [0.7, -1.3, 2.1, 0.4, -0.6],
   check (\(x: [0]f64) -> x) []]
