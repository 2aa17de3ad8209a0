-- A custom adjoint with kept values.
-- ==
-- input { 3.0 } output { 42.0 9.0 }
entry main (x: f64) =
  let f = with_vjp_tape (\y -> (y * 14, y * y)) (\(t, a) -> t * a)
  in (vjp f x 1, f x)
