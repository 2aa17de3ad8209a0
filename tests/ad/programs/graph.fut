-- Sparse products by gather and scatter.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def from = [0, 1, 2, 0, 3, 4i64]
def to = [1, 2, 0, 3, 4, 2i64]
def spread [n] (x: [n]f64) = reduce_by_index (replicate n 0) (+) 0 to (map (\i -> f64.sin x[i]) from)
def f [n] (x: [n]f64) = loop y = x for _i < 3i32 do map2 (\a b -> a * 0.5 + b) y (spread y)

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (map (** 2) (f x))) [0.7, -1.3, 2.1, 0.4, -0.6]]
