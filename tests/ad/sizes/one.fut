-- Arrays of one element in every construct.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let s = reduce (\a b -> a + b - a * b) 0 x * f64.product x * f64.maximum x
  let t = scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip x x)
  let h = hist (*) 1 1 (map (\_ -> 0) x) x
  let u = loop a = copy x for i < n do a with [i] = f64.sin a[i]
  in map3 (\(a, b) u r -> a * b * u + r * s * h[0]) t u (reverse (rotate 3 x))

entry main =
  [check f [0.7],
   check f [-1.3],
   check_hessian (\x -> f64.sum (f x)) [0.7]]
