-- Counted loops: several parameters, nested, zero and one iteration, arrays.
-- ==
-- input { } output { [true, true, true, true, true, true, true] }
import "lib/fd"

def several [n] (x: [n]f64) =
  let (a, b, c) = loop (a, b, c) = (x[0], x[1], 1) for i < 5 do (a * b, b + f64.sin a, c * a + f64.i64 i)
  in [a, b, c]
def nested [n] (x: [n]f64) =
  loop a = x for i < 3i64 do
    loop a for j < i do map2 (\u v -> u * f64.cos v) a (rotate 1 a)
def count [n] (k: i64) (x: [n]f64) = loop y = x for _i < k do map (\v -> v * v + 0.1) y
def triangular [n] (x: [n]f64) =
  loop s = 0 for i < n do loop s for j in i..<n do s + x[i] * x[j] ** 2

entry main =
  [check several [0.3, 0.8],
   check nested [0.3, 0.8, -0.2],
   check (count 0) [0.3, 0.8, -0.2],
   check (count 1) [0.3, 0.8, -0.2],
   check (count 6) [0.3, 0.8, -0.2],
   check_scalar triangular [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian triangular [0.3, 0.8, -0.2]]
