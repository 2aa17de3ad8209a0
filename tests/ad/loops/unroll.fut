-- Unrolled loops, and loops in maps.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = #[unroll] loop s = x[0] for i < 3 do s * x[i] + f64.i32 i
def g [n] (x: [n]f64) = map (\v -> loop s = v for i < n do s * 0.5 + x[i] * v) x
def h [n] (x: [n]f64) = #[sequential] map (\v -> loop s = v for w in x do s * 0.5 + w * v) x

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1]]
