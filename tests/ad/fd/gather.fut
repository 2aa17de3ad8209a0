-- Indexing with computed indices, repeated and permuted, of rows and elements.
-- ==
-- input { } output { [true, true, true, true] }
import "lib/fd"

def is : [7]i64 = [0, 2, 2, 4, 1, 0, 3]
def f [n] (x: [n]f64) = map (\i -> x[i] * x[(i + 1) % n]) is
def rows [n] (x: [n]f64) =
  let m = map (\v -> map (* v) x) x
  in flatten (map (\i -> m[i % n]) [0, 3, 3])
def data [n] (x: [n]f64) = map (\v -> x[i64.f64 (f64.abs v)] * v) x

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check rows [0.7, -1.3, 2.1],
   check data [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (f x)) [0.7, -1.3, 2.1, 0.4, -0.6]]
