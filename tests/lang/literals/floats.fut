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

-- Half-way between two numbers of the type, or beside it by less than an f64 can tell: rounded once.
-- ==
-- entry: rounded_once
-- input { 1.000488281250000000000000000000000001f16 }
-- output { [15360u16, 15361u16, 15361u16, 15362u16, 15361u16, 15361u16] 1065353217u32 1509949441u32 }
entry rounded_once (x: f16) : ([]u16, u32, u32) =
  let f : f16 = 1.000488281250000000000000000000000001
  let g : f32 = 1.00000005960464477539062500000001
  let h : f32 = 9007199791611905
  in (map f16.to_bits [1.00048828125, 1.000488281250000000000000000000000001f16,
                       1.001464843749999999999999999999999999f16, 1.00146484375f16, f, x],
      f32.to_bits g, f32.to_bits h)

-- ==
-- entry: long_integer
-- input { } output { 1e23 1e23 }
entry long_integer : (f64, f64) = (100_000_000_000_000_000_000_000, 100000000000000000000000)
