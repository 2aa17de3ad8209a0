-- Parameters that become active only after some iterations.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let (_, _, c) = loop (a, b, c) = (x[0], 1, 2) for i < 4i64 do (a * x[1], a + f64.i64 i, b * b)
  in c
def g [n] (x: [n]f64) =
  let (a, _) = loop (a, b) = (replicate n 1, x) for _i < 3i32 do (map2 (*) a b, map f64.sin a)
  in a

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1]]
