-- Scans with operators of every class.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def sum [n] (x: [n]f64) = scan (+) 0 (map f64.sin x)
def product [n] (x: [n]f64) = scan (*) 1 x
def greatest [n] (x: [n]f64) = scan f64.max f64.lowest x
def least [n] (x: [n]f64) = scan f64.min f64.highest (map (** 2) x)
def general [n] (x: [n]f64) = scan (\a b -> a + b - 0.3 * a * b) 0 x
def free [n] (x: [n]f64) = scan (\a b -> a + b + x[0] * a * b) 0 x
def hypot [n] (x: [n]f64) = scan (\a b -> f64.sqrt (a * a + b * b)) 0 x

entry main =
  [check sum [0.7, -1.3, 2.1, 0.4, -0.6],
   check product [0.7, -1.3, 2.1, 0.4, -0.6],
   check product [2, 0, 3, 0, 1],
   check greatest [0.7, -1.3, 2.1, 0.4, -0.6],
   check least [0.7, -1.3, 2.1, 0.4, -0.6],
   check general [0.7, -1.3, 2.1, 0.4, -0.6],
   check free [0.7, -1.3, 2.1, 0.4, -0.6],
   check hypot [0.7, 1.3, 1.1, 0.4, 1.6]]
