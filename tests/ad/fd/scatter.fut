-- Scatter: overwritten elements, writes out of range, equal duplicates, several dimensions.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = scatter (map (* 2) x) [1, 3, -1, 9] (map f64.sin x[:4])
def twice [n] (x: [n]f64) = scatter (map (* 2) x) [1, 1, 2] (replicate 3 (x[0] * x[1]))
def rows [n] (x: [n]f64) =
  flatten (scatter (replicate 3 (map (* 3) x)) [2, 0, 7] [map f64.exp x, map (** 2) x, x])
def pairs [n] (x: [n]f64) =
  let (a, b) = unzip (scatter (map (\v -> (v, -v)) x) [0, 2] [(x[1], x[2] * x[0]), (x[0], 1)])
  in a ++ b
def two [n] (x: [n]f64) =
  flatten (scatter_2d [[x[0], x[1]], [x[2], x[3]]] [(0, 1), (1, 0), (2, 0)] (map f64.cos x[:3]))
def three [n] (x: [n]f64) =
  flatten_3d (scatter_3d [[[x[0], x[1]], [x[2], x[3]]]] [(0, 1, 1), (0, 0, 2)] (map f64.cos x[:2]))
def spreads [n] (x: [n]f64) = spread 6 x[0] [0, 3, 8] (map (* x[1]) x[:3])

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check two [0.7, -1.3, 2.1, 0.4, -0.6],
   check three [0.7, -1.3, 2.1, 0.4, -0.6],
   check rows [0.7, -1.3, 2.1],
   check pairs [0.7, -1.3, 2.1],
   check twice [0.7, -1.3, 2.1],
   check spreads [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (map (** 2) (f x))) [0.7, -1.3, 2.1, 0.4, -0.6]]
