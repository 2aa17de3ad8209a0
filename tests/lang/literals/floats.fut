-- Float literals.
-- ==
-- input { } output { 1.5 1000.0 12.0 3f32 0.25f32 1.5f16 }
entry main = (1.5f64, 1e3f64, 0x1.8p3f64, 3f32, 2.5e-1f32, 1.5f16)

-- ==
-- entry: integer_literal
-- input { } output { 1f32 [1.0, 2.5] }
entry integer_literal : (f32, []f64) = (1, [1, 2.5])

-- ==
-- entry: hex_not_float
-- input { } output { 7986 }
entry hex_not_float : i32 = 0x1f32
