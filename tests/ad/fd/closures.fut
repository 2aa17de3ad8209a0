-- Functions as values, capturing active values, arrays and other functions.
-- ==
-- input { } output { [true, true, true, true] }
import "lib/fd"

def compose 'a 'b 'c (f: a -> b) (g: b -> c) : a -> c = \x -> g (f x)
def f [n] (x: [n]f64) =
  let s = f64.sum x
  let scale k = \v -> v * k * s
  let h = compose (scale x[0]) (\v -> f64.sin v + x[1])
  let table = {first = h, second = \i -> x[i] * s}
  in map2 (\v i -> table.first v * table.second i) x (iota n)
def curried [n] (x: [n]f64) =
  let op a b c = a * b + c
  let g = op x[0]
  in map (\v -> g v x[1]) x

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check curried [0.7, -1.3, 2.1, 0.4, -0.6],
   check (iterate 3 (map f64.sin) >-> map (* 2)) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (f x)) [0.7, 1.3, 1.1]]
