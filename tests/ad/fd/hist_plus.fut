-- Histograms that add: with destination, out of range, over pairs and vectors.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "lib/fd"

def is : [5]i64 = [0, 2, 0, 7, -1]
def f [n] (x: [n]f64) =
  reduce_by_index (map f64.sin x[:3]) (+) 0 is (map (** 2) (x :> [5]f64))
def h [n] (x: [n]f64) = hist (+) 0 3 is (map f64.exp (x :> [5]f64))
def vectors [n] (x: [n]f64) =
  flatten (reduce_by_index (replicate 2 [x[0], 1]) (map2 (+)) [0, 0] [1, 1, 0] (map (\v -> [v, v * v]) x[:3]))
def pairs [n] (x: [n]f64) =
  let add (a, b) (c, d) = (a + c, b + d)
  let (a, b) = unzip (hist add (0, 0) 3 is (map (\v -> (v, v * v)) (x :> [5]f64)))
  in map2 (*) a b
def two [n] (x: [n]f64) =
  flatten (reduce_by_index_2d [[x[0], x[1]], [x[2], x[3]]] (+) 0 [(0, 1), (1, 0), (2, 0), (0, 1)]
                              (map f64.cos x[:4]))

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check h [0.7, -1.3, 2.1, 0.4, -0.6],
   check vectors [0.7, -1.3, 2.1, 0.4, -0.6],
   check pairs [0.7, -1.3, 2.1, 0.4, -0.6],
   check two [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (map (** 2) (f x))) [0.7, -1.3, 2.1, 0.4, -0.6]]
