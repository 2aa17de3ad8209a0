-- Scatters: some places twice written with the same, some outside, some not at all.
-- ==
-- input { } output { [true, true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = scatter (map (* 3) x) [1, -1, 0, 7, 2] (map (** 2) (take 5 x))
def g [n] (x: [n]f64) = scatter (replicate 8 x[0]) (map (* 2) (iota n)) x
def rows [n] (x: [n]f64) = flatten (scatter (replicate 4 x) [2, 0] [map (* x[1]) x, x])
def two [n] (x: [n]f64) = flatten (scatter_2d (replicate 2 (take 2 x)) [(0, 1), (1, 0), (5, 5)] (take 3 x))

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.7, -1.3, 2.1, 0.4, -0.6],
   check rows [0.7, -1.3, 2.1],
   check two [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.product (f x)) [0.7, -1.3, 2.1, 0.4, -0.6]]
