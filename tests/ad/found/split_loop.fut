-- The return sweep of the inner derivative is a loop that gives an accumulator and an array which it
-- consumes; the outer one takes it apart, and both parts consume the array.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def replaced [n] (z: [n]f64) =
  let rows = map (\_ -> loop _a = replicate 3 0.5 for _i < 3i32 do
    let a = replicate 3 0.5
    in a with [0] = z[0] ** 2) (iota 3)
  in f64.sum (flatten rows)
def branching [n] (z: [n]f64) =
  let k = f64.product z
  let rows = map (\_ -> loop _a = replicate 2 0.5 for _i < 3i32 do
    let a = replicate 2 k
    in if k < z[0] then a with [0] = k * k else a) (iota n)
  in f64.sum (flatten rows)
def scanned [n] (z: [n]f64) =
  let rows = map (\_ ->
    (loop (s, v) = (0.5, z) for _i < 3i32 do
      (f64.maximum z, scan (\a b -> a + b + f64.tanh s * a * b) 0 v)).1) (iota 3)
  in f64.sum (flatten rows)

entry main =
  [check_hessian replaced [0.7, -0.3, 0.2],
   check_hessian branching [0.7, 0.3, 1.2],
   check_hessian scanned [0.7, -0.3, 0.2]]
