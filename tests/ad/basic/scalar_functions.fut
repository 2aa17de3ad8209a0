-- Derivatives of elementary functions.
-- ==
-- input { 0.5 } output { [1.6487, 2.0, 0.87758, -0.47943, 1.29845, 0.70711, 0.8, 1.1547, 0.78645] }
entry main (x: f64) =
  let d f = vjp f x 1
  in [d f64.exp, d f64.log, d f64.sin, d f64.cos, d f64.tan, d f64.sqrt, d f64.atan, d f64.asin, d f64.tanh]
