-- All forms of for loops.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "../fd/lib/fd"

def count [n] (x: [n]f64) = loop s = x[0] for i < n do s * x[i] + 1
def elements [n] (x: [n]f64) = loop s = 0 for v in x do f64.sin (s + v)
def ranges [n] (x: [n]f64) = loop s = 1 for i in [2, 0, 1, 0i64] do s * x[i]
def down [n] (x: [n]f64) = loop s = 0 for i in n - 1..n - 2...0 do s * 0.5 + x[i] ** 2
def pairs [n] (x: [n]f64) = loop s = 0 for (a, b) in zip x (reverse x) do s * a + b
def small [n] (x: [n]f64) = loop s = 1 for i < 3u8 do s * x[i64.u8 i]

entry main =
  [check_scalar count [0.7, -1.3, 2.1],
   check_scalar elements [0.7, -1.3, 2.1],
   check_scalar ranges [0.7, -1.3, 2.1],
   check_scalar down [0.7, -1.3, 2.1],
   check_scalar pairs [0.7, -1.3, 2.1],
   check_scalar small [0.7, -1.3, 2.1]]
