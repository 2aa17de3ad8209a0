-- A custom adjoint in reverse mode.
-- ==
-- input { 3.0 } output { 10.0 6.0 9.0 }
entry main (x: f64) =
  let f = with_vjp (\y -> y * y) (\r a -> r + a)
  in (vjp f x 1, jvp f x 1, f x)
