-- The logarithm of a sum of exponentials, without overflow.
entry primal [n] (x: [n]f64) : f64 =
  let top = f64.maximum x
  in top + f64.log (f64.sum (map (\a -> f64.exp (a - top)) x))

entry gradient [n] (x: [n]f64) : [n]f64 = vjp primal x 1
