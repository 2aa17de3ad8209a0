-- The value and the derivative.
-- ==
-- input { 3.0 } output { 9.0 6.0 9.0 6.0 }
entry main (x: f64) =
  let (a, b) = jvp2 (\y -> y * y) x 1
  let (c, d) = vjp2 (\y -> y * y) x 1
  in (a, b, c, d)
