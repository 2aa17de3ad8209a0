-- Conversions to f16.
-- ==
-- entry: from_i8
-- input { [0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8] } output { [0.0f16, 1.0f16, -1.0f16, 5.0f16, -128.0f16, 127.0f16, 100.0f16] }
entry from_i8 (xs: []i8) = map f16.i8 xs

-- ==
-- entry: from_i16
-- input { [0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16] } output { [0.0f16, 1.0f16, -1.0f16, 1234.0f16, -32768.0f16, 32767.0f16] }
entry from_i16 (xs: []i16) = map f16.i16 xs

-- ==
-- entry: from_i32
-- input { [0i32, 1i32, -1i32] } output { [0.0f16, 1.0f16, -1.0f16] }
entry from_i32 (xs: []i32) = map f16.i32 xs

-- ==
-- entry: from_i64
-- input { [0i64, 1i64, -1i64] } output { [0.0f16, 1.0f16, -1.0f16] }
entry from_i64 (xs: []i64) = map f16.i64 xs

-- ==
-- entry: from_u8
-- input { [0u8, 1u8, 200u8, 255u8] } output { [0.0f16, 1.0f16, 200.0f16, 255.0f16] }
entry from_u8 (xs: []u8) = map f16.u8 xs

-- ==
-- entry: from_u16
-- input { [0u16, 1u16, 40000u16] } output { [0.0f16, 1.0f16, 40000.0f16] }
entry from_u16 (xs: []u16) = map f16.u16 xs

-- ==
-- entry: from_u32
-- input { [0u32, 1u32] } output { [0.0f16, 1.0f16] }
entry from_u32 (xs: []u32) = map f16.u32 xs

-- ==
-- entry: from_u64
-- input { [0u64, 1u64] } output { [0.0f16, 1.0f16] }
entry from_u64 (xs: []u64) = map f16.u64 xs

-- ==
-- entry: from_float
-- input { 1.5f16 -2.25f32 0.125f64 true } output { 1.5f16 -2.25f16 0.125f16 1.0f16 }
entry from_float (x: f16) (y: f32) (z: f64) (b: bool) = (f16.f16 x, f16.f32 y, f16.f64 z, f16.bool b)
