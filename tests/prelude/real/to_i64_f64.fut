-- Conversions out of a float module.
-- ==
-- input { [1.9, -1.9, f64.nan, f64.inf] } output { [1i64, -1i64, 0i64, 0i64] }
entry main (xs: []f64) = map f64.to_i64 xs

-- ==
-- entry: widen
-- input { 0.5f32 } output { 0.5f64 }
entry widen (x: f32) = f32.to_f64 x
