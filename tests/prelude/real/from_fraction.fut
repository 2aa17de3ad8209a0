-- A quotient of two integers.
-- ==
-- input { 1i64 4i64 } output { 0.25f64 0.25f32 0.25f16 }
-- input { -3i64 2i64 } output { -1.5f64 -1.5f32 -1.5f16 }
entry main (a: i64) (b: i64) = (f64.from_fraction a b, f32.from_fraction a b, f16.from_fraction a b)
