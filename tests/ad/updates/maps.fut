-- Updates inside the lambdas of maps.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = flatten (map (\v -> let a = map (* v) x let a[0] = a[1] * a[2] in a) x)
def g [n] (x: [n]f64) =
  flatten (map (\v -> loop a = map (* v) x for i < n - 1 do a with [i + 1] = a[i + 1] + a[i] * v) x)
def h [n] (x: [n]f64) =
  map (\v -> let a = loop a = replicate n v for i < n do a with [i] = a[i] * x[i] in f64.product a) x

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (h x)) [0.7, -1.3, 2.1]]
