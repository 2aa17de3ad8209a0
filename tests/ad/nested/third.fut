-- A third derivative.
-- ==
-- input { 2.0 } output { 24.0 }
entry main (x: f64) =
  let f y = y ** 4
  in vjp (\a -> jvp (\b -> vjp f b 1) a 1) x 1 - 24
