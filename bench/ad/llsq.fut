-- Linear least squares: the squared distance of a polynomial from the sign function at n points.
def polynomial [m] (x: [m]f64) (t: f64) : f64 =
  (loop (s, power) = (0, 1) for c in x do (s + c * power, power * t)).0

entry primal [m] (x: [m]f64) (n: i64) : f64 =
  let square i =
    let t = -1 + 2 * f64.i64 i / f64.i64 (n - 1)
    let d = f64.sgn t - polynomial x t
    in d * d
  in 0.5 * f64.sum (tabulate n square)

entry gradient [m] (x: [m]f64) (n: i64) : [m]f64 = vjp (\x' -> primal x' n) x 1
