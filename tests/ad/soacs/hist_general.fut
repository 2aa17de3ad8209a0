-- Histograms with operators of every class, several values to a bin, empty bins.
-- ==
-- input { } output { [true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def is n = map (\i -> (3 * i) % 4 - 1) (iota n)
def sum [n] (x: [n]f64) = hist (+) 0 4 (is n) x
def product [n] (x: [n]f64) = hist (*) 1 4 (is n) x
def greatest [n] (x: [n]f64) = map (f64.max (-9)) (hist f64.max f64.lowest 4 (is n) x)
def general [n] (x: [n]f64) = hist (\a b -> a + b - a * b) 0 4 (is n) x
def pairs [n] (x: [n]f64) =
  hist (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) 4 (is n) (zip x (map f64.sin x)) |> map (\(a, b) -> a * b)

entry main =
  [check sum [0.7, -1.3, 2.1, 0.4, -0.6],
   check product [0.7, -1.3, 2.1, 0.4, -0.6],
   check greatest [0.7, -1.3, 2.1, 0.4, -0.6],
   check general [0.7, -1.3, 2.1, 0.4, -0.6],
   check pairs [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (product x)) [0.7, -1.3, 2.1, 0.4, -0.6],
   check product [1, 0, 2, 0, 3]]
