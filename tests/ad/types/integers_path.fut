-- Integers on the way: as indices, counters, conditions; formal derivatives of their own.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = let i = i64.f64 (f64.floor (x[0] * 2)) in x[i64.abs i % n] ** 2
def g [n] (x: [n]f64) = let k = i64.sum (map (\v -> if v > 0 then 1 else 0) x) in f64.i64 k * f64.sum x
def h [n] (x: [n]f64) = loop s = x[0] for i < n do s * f64.i64 (i * i + 1)

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   check_scalar g [0.7, -1.3, 2.1],
   check_scalar h [0.7, -1.3, 2.1],
   vjp (\a -> a * a + 2 * a) 3i32 1 == 8,
   jvp (\(a, b) -> a * b) (3i64, 4i64) (1, 0) == 4,
   vjp (\(a: [3]i32) -> i32.product a) [2, 3, 4] 1 == [12, 8, 6],
   vjp (\a -> f64.i64 (i64.f64 a) * 2) 3.7 1 == 2,
   vjp (\a -> a % 4) 7i32 5 == 5]
