-- Free variables of a function with a custom adjoint get none in reverse mode, whether or not its
-- argument varies; forward mode looks into the function.
-- ==
-- entry: of_free
-- input { 5.0 } output { 0.0 2.0 }
entry of_free (k: f64) =
  let f k = with_vjp (* k) (\_ a -> 7 * a) 2
  in (vjp f k 1, jvp f k 1)

-- ==
-- entry: of_both
-- input { 5.0 } output { 35.0 10.0 }
entry of_both (k: f64) =
  let f k = with_vjp_tape (\x -> (x, x * k)) (\(x, a) -> 7 * a * x) k
  in (vjp f k 1, jvp f k 1)

-- ==
-- entry: of_array
-- input { [1.0, 2.0] } output { [0.0, 0.0] [3.0, 6.0] }
entry of_array [n] (ks: [n]f64) =
  let f ks = with_vjp (\x -> map (* x) ks) (\_ a -> f64.sum a) 3
  in (vjp f ks (replicate n 1), jvp f ks ks)

-- The inner operator varies the free variable only; the outer one the argument.
-- ==
-- entry: at_two_levels
-- input { 3.0 } output { 0.0 7.0 }
entry at_two_levels (x: f64) =
  let f x = vjp2 (\k -> with_vjp (* k) (\_ a -> 7 * a) x) 2 1
  in (vjp (\x -> (f x).1) x 1, vjp (\x -> (f x).0) x 1)
