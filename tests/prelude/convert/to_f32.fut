-- Conversions to f32.
-- ==
-- entry: from_i8
-- input { [0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8] } output { [0.0f32, 1.0f32, -1.0f32, 5.0f32, -128.0f32, 127.0f32, 100.0f32] }
entry from_i8 (xs: []i8) = map f32.i8 xs

-- ==
-- entry: from_i16
-- input { [0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16] } output { [0.0f32, 1.0f32, -1.0f32, 1234.0f32, -32768.0f32, 32767.0f32] }
entry from_i16 (xs: []i16) = map f32.i16 xs

-- ==
-- entry: from_i32
-- input { [0i32, 1i32, -1i32] } output { [0.0f32, 1.0f32, -1.0f32] }
entry from_i32 (xs: []i32) = map f32.i32 xs

-- ==
-- entry: from_i64
-- input { [0i64, 1i64, -1i64] } output { [0.0f32, 1.0f32, -1.0f32] }
entry from_i64 (xs: []i64) = map f32.i64 xs

-- ==
-- entry: from_u8
-- input { [0u8, 1u8, 200u8, 255u8] } output { [0.0f32, 1.0f32, 200.0f32, 255.0f32] }
entry from_u8 (xs: []u8) = map f32.u8 xs

-- ==
-- entry: from_u16
-- input { [0u16, 1u16, 40000u16] } output { [0.0f32, 1.0f32, 40000.0f32] }
entry from_u16 (xs: []u16) = map f32.u16 xs

-- ==
-- entry: from_u32
-- input { [0u32, 1u32] } output { [0.0f32, 1.0f32] }
entry from_u32 (xs: []u32) = map f32.u32 xs

-- ==
-- entry: from_u64
-- input { [0u64, 1u64] } output { [0.0f32, 1.0f32] }
entry from_u64 (xs: []u64) = map f32.u64 xs

-- ==
-- entry: from_float
-- input { 1.5f16 -2.25f32 0.125f64 true } output { 1.5f32 -2.25f32 0.125f32 1.0f32 }
entry from_float (x: f16) (y: f32) (z: f64) (b: bool) = (f32.f16 x, f32.f32 y, f32.f64 z, f32.bool b)
