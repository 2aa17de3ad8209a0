-- Perturbations of different levels stay apart.
-- ==
-- input { 3.0 } output { 1.0 1.0 1.0 1.0 }
entry main (x: f64) =
  (jvp (\a -> a * jvp (\b -> a + b) 1 1) x 1, vjp (\a -> a * vjp (\b -> a + b) 1 1) x 1,
   jvp (\a -> a * vjp (\b -> a + b) 1 1) x 1, vjp (\a -> a * jvp (\b -> a + b) 1 1) x 1)
