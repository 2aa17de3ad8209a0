-- Comparison operators of a module.
-- ==
-- input { 1.0 2.0 } output { false true true true false false }
-- input { 2.0 2.0 } output { true false false true false true }
-- input { f64.nan 2.0 } output { false true false false false false }
entry main (x: f64) (y: f64) =
  (x f64.== y, x f64.!= y, x f64.< y, x f64.<= y, x f64.> y, x f64.>= y)
