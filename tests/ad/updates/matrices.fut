-- Rows, columns, blocks and elements of matrices in one loop.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let m = loop m = map (\a -> map (* a) x) x for i < n - 1 do
    let m[i] = map2 (+) m[i] m[i + 1]
    let m[:, i + 1] = map (* 0.5) m[:, i]
    let m[i:i + 2, 0:2] = map (map f64.sin) (copy m[i:i + 2, 0:2])
    let m[i, i] = m[i + 1, i] * x[0]
    in m
  in flatten m

entry main =
  [check f [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (f x)) [0.7, -1.3, 2.1]]
