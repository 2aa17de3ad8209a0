-- Recursion inside of maps and loops, with free arrays.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def horner (c: []f64) (i: i64) (v: f64) : f64 = if i == length c then 0 else c[i] + v * horner c (i + 1) v
def f [n] (x: [n]f64) = map (horner x 0) x
def g [n] (x: [n]f64) = loop s = 0.5 for v in x do horner x 1 (s * v)

entry main =
  [check f [0.7, -1.3, 2.1],
   check_scalar g [0.7, -1.3, 2.1]]
