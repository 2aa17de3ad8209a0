-- Linear interpolation.
-- ==
-- input { 1.0 3.0 [0.0, 0.25, 0.5, 1.0] } output { [1.0, 1.5, 2.0, 3.0] }
entry main (a: f64) (b: f64) (ts: []f64) = map (f64.lerp a b) ts
