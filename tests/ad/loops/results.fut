-- Results of loops that are parameters, constants, or each other.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let (a, b, c) = loop (a, b, c) = (x[0], x[1], x[2]) for _i < 4i32 do (b, c, a * b)
  in [a, b, c]
def g [n] (x: [n]f64) =
  let (a, b) = loop (a : [n]f64, b : [n]f64) = (x, map (** 2) x) for i < 3i64 do (if i == 1 then b else a, map (+ x[0]) x)
  in a ++ b
def h [n] (x: [n]f64) = loop s = x[0] ** 2 for _i < 3i32 do let t = s in if t > 100 then t else x[1]

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check_scalar h [0.7, -1.3, 2.1]]
