-- Both partial derivatives of atan2.
-- ==
-- input { 1.0 2.0 } output { 0.4 -0.2 0.4 -0.2 }
entry main (y: f64) (x: f64) =
  let f (a, b) = f64.atan2 a b
  let (gy, gx) = vjp f (y, x) 1
  in (gy, gx, jvp f (y, x) (1, 0), jvp f (y, x) (0, 1))
