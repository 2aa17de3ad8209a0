-- A numerically careful reduction.
def lse [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))
-- ==
-- input { [1.0, 2.0, 3.0] } output { [0.09003057, 0.24472847, 0.66524096] }
entry main (xs: []f64) = vjp lse xs 1
