-- Many directions at once, inside of derivatives and outside.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = map2 (*) x (scan (+) 0 x)
def eye (n: i64) = map (unit n) (iota n)
def jac [n] (x: [n]f64) = flatten (jmp f x (eye n))
def jac' [n] (x: [n]f64) = flatten (mjp f x (eye n))
def none [n] (x: [n]f64) = length (jmp f x (replicate 0 x)) == 0 && length (mjp f x (replicate 0 x)) == 0

entry main =
  [check jac [0.7, -1.3, 2.1],
   check jac' [0.7, -1.3, 2.1],
   none [0.7, -1.3, 2.1],
   (jmp2 f [0.7, -1.3, 2.1] (eye 3)).0 == f [0.7, -1.3, 2.1]]
