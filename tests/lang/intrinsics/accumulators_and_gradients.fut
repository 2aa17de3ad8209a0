-- Derivatives of what writes to accumulators: of values, of what was there, of both modes.
-- ==
-- entry: main
-- input { [1.0, 2.0, 3.0] } output { [20.0, 24.0, 60.0] [10.0, 6.0] 104.0 }
def f (d: [2]f64, xs: [3]f64) =
  let r =
    intrinsics.hist_stream (copy d) (+) 0
      (\acc (i, x) -> intrinsics.acc_write acc (i % 2) (x * x)) (zip (iota 3) xs)
  in 0.5 * f64.sum (map (\y -> y * y) r)

entry main (xs: [3]f64) =
  let (gd, gx) = vjp f ([0.0, 2.0], xs) 1
  let t = jvp f ([0.0, 2.0], xs) ([0.0, 0.0], [1.0, 1.0, 1.0])
  in (map (* 1) gx, map (* 1) gd, t)
