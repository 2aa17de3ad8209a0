-- Loops over other types of integers, backwards, with steps.
-- ==
-- input { } output { [true, true, true, true, true] }
import "../fd/lib/fd"

def a [n] (x: [n]f64) = loop s = x[0] for i < 5u8 do s * 0.5 + x[i64.u8 i % n]
def b [n] (x: [n]f64) = loop s = x[0] for i < 5i8 do s * 0.5 + x[i64.i8 i % n]
def c [n] (x: [n]f64) = loop s = 1 for i in 0..2...4 do s * x[i % n] + f64.i64 i
def d [n] (x: [n]f64) = loop s = 1 for i in 4i32..3...0 do s * x[i64.i32 i % n] + f64.i32 i
def e [n] (x: [n]f64) = loop s = x[1] for i in [3i64, 1, 2] do s + x[i % n] * f64.i64 i * s

entry main =
  [check_scalar a [0.7, -1.3, 2.1],
   check_scalar b [0.7, -1.3, 2.1],
   check_scalar c [0.7, -1.3, 2.1],
   check_scalar d [0.7, -1.3, 2.1],
   check_scalar e [0.7, -1.3, 2.1]]
