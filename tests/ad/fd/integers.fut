-- Active values through integers and booleans: the path of indices, counts, conditions.
-- ==
-- input { } output { [true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) =
  let k = i64.bool (x[0] > 0) + 1
  in map (\v -> v ** 2 * 3) x ++ [x[k] * 2]
def counts [n] (x: [n]f64) =
  let m = length (filter (> 0) x)
  in f64.sum x * 3 / 2 + x[m % n]
def bits [n] (x: [n]f64) = map (\v -> f64.from_bits (f64.to_bits v) ** 2) x
def switch [n] (x: [n]f64) =
  let (s, c) = loop (s, c) = (0, 0i32) for v in x do if v > 0 then (s + v * v, c + 1) else (s * 2, c)
  in s * x[i64.i32 c % n]

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar counts [0.7, -1.3, 2.1, 0.4, -0.6],
   check bits [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar switch [0.7, -1.3, 2.1, 0.4, -0.6]]
