-- Second derivatives of an update in a triangular nest whose inner loops differ in length.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def nest [n] (x: [n]f64) : [n]f64 =
  loop a = copy x for i < n do
    loop a for j < i + 1 do
      if i == j
      then a with [i] = 0.3 * a[i] + f64.cos (loop s = 0.1 for k < j do 0.5 * s + f64.sin (a[k % n] * a[n - 1 - j % n]))
      else a

entry main =
  [check (\x -> vjp nest x (direction 4)) [0.7, -1.3, 2.1, 0.4],
   check_hessian (\x -> f64.sum (nest x)) [0.7, -1.3, 2.1, 0.4]]
