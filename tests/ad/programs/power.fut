-- The power method for the largest eigenvalue.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def matrix [n] (x: [n]f64) = map (\i -> map (\j -> (if i == j then 2 + f64.i64 i else 0) + x[i] * x[j]) (iota n)) (iota n)
def eigen [n] (x: [n]f64) =
  let m = matrix x
  let v = loop v = replicate n 1 for _i < 12i32 do
    let w = map (\r -> f64.sum (map2 (*) r v)) m
    let s = f64.sqrt (f64.sum (map (** 2) w))
    in map (/ s) w
  in f64.sum (map2 (\r a -> a * f64.sum (map2 (*) r v)) m v)

entry main =
  [check_scalar eigen [0.7, -1.3, 2.1]]
