-- Parts that do not depend on the input cost and count nothing.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def table = map (\i -> f64.sin (f64.i64 i)) (iota 10)
def f [n] (x: [n]f64) = map2 (\i v -> table[i] * v + f64.sum table) (iota n) x
def g [n] (x: [n]f64) = let k = loop k = 1 for i < 5i64 do k * table[i] in map (* k) x
def h [n] (_x: [n]f64) = copy (take n table)
def same [n] (a: [n]f64) (b: [n]f64) = and (map2 (==) a b)

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   same (vjp h [1, 2] [1, 1]) [0, 0],
   same (jvp h [1, 2] [1, 1]) [0, 0]]
