-- Derivatives of functions with steps.
-- ==
-- input { 1.7 } output { [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0] }
entry main (x: f64) =
  let d f = vjp f x 1
  in [d f64.floor, d f64.ceil, d f64.round, d f64.sgn, d f64.trunc, d (\y -> f64.i64 (i64.f64 y)),
      d (\y -> f64.from_bits (f64.to_bits y))]
