-- The root of  v + a v^3 + b sin v = c x  for each x, by Newton's method to a tolerance: a while loop
-- for each element, with parameters that all share.
def root (p: [3]f64) (x: f64) : f64 =
  let f v = v + p[0] * v * v * v + p[1] * f64.sin v - p[2] * x
  let f' v = 1 + 3 * p[0] * v * v + p[1] * f64.cos v
  let (v, _, _) =
    loop (v, delta, i) = (x, 1, 0i64) while f64.abs delta > 1e-10 && i < 50 do
      let delta = f v / f' v
      in (v - delta, delta, i + 1)
  in v

entry primal [n] (p: [3]f64) (xs: [n]f64) : f64 =
  f64.sum (map (\x -> let v = root p x in v * v) xs) / f64.i64 n

entry gradient [n] (p: [3]f64) (xs: [n]f64) : [3]f64 = vjp (\p -> primal p xs) p 1
