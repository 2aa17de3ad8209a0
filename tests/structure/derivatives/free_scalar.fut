-- What is added to a free scalar is a reduction in the same nest.
-- structure soac: withacc 0, screma 2, screma.reduce 2
-- ==
-- input { 0.5f64 [[1f64,2f64],[3f64,4f64],[5f64,6f64]] }
-- output { -9.439861624896151f64 }
entry main [n][m] (s: f64) (xs: [n][m]f64) : f64 =
  vjp (\s -> f64.sum (map (\x -> f64.sum (map (\a -> f64.sin (s * a)) x)) xs)) s 1
