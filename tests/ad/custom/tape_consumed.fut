-- What a custom derivative keeps is its argument, which is written to after the call.
-- ==
-- input { [0.5, 1.5, 2.0] [1.0, 1.0, 2.0] }
-- output { [-3.0, 12.0, 17.75] [0.0, 12.0, 30.0] }
def cubes [n] (x: [n]f64) : [n]f64 =
  with_vjp_tape (\(y: [n]f64) -> (y, map (\v -> v * v * v) y))
    (\(y, a) -> map2 (\v a -> 3 * v * v * a) y a) x

def f [n] (x: [n]f64) : f64 =
  let y = map (\v -> v + 0.5) x
  let c = copy (cubes y)
  let z = y with [0] = y[0] * y[0]
  let z = z with [1] = 2 * z[0]
  in f64.sum c - f64.sum z

entry main [n] (x: [n]f64) (d: [n]f64) : ([n]f64, [n]f64) =
  (vjp f x 1, vjp (\x -> vjp f x 1) x d)
