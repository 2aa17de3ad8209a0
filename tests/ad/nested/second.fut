-- Second derivatives in all combinations.
def f (x: f64) : f64 = x * x * x
-- ==
-- input { 2.0 } output { 12.0 12.0 12.0 12.0 }
entry main (x: f64) =
  (jvp (\y -> jvp f y 1) x 1, vjp (\y -> vjp f y 1) x 1,
   jvp (\y -> vjp f y 1) x 1, vjp (\y -> jvp f y 1) x 1)
