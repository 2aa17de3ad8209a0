-- Arrays of the sizes of other arrays, made and taken apart.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let k = i64.f64 (f64.floor (f64.abs (x[0] * 3))) + 1
  let y = replicate k x[1]
  let z = map2 (\a i -> a * f64.i64 i + x[2]) y (iota k)
  in f64.product z + f64.i64 k

entry main =
  [check_scalar f [0.7, -1.3, 2.1]]
