-- Conversions to f64.
-- ==
-- entry: from_i8
-- input { [0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8] } output { [0.0f64, 1.0f64, -1.0f64, 5.0f64, -128.0f64, 127.0f64, 100.0f64] }
entry from_i8 (xs: []i8) = map f64.i8 xs

-- ==
-- entry: from_i16
-- input { [0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16] } output { [0.0f64, 1.0f64, -1.0f64, 1234.0f64, -32768.0f64, 32767.0f64] }
entry from_i16 (xs: []i16) = map f64.i16 xs

-- ==
-- entry: from_i32
-- input { [0i32, 1i32, -1i32] } output { [0.0f64, 1.0f64, -1.0f64] }
entry from_i32 (xs: []i32) = map f64.i32 xs

-- ==
-- entry: from_i64
-- input { [0i64, 1i64, -1i64] } output { [0.0f64, 1.0f64, -1.0f64] }
entry from_i64 (xs: []i64) = map f64.i64 xs

-- ==
-- entry: from_u8
-- input { [0u8, 1u8, 200u8, 255u8] } output { [0.0f64, 1.0f64, 200.0f64, 255.0f64] }
entry from_u8 (xs: []u8) = map f64.u8 xs

-- ==
-- entry: from_u16
-- input { [0u16, 1u16, 40000u16] } output { [0.0f64, 1.0f64, 40000.0f64] }
entry from_u16 (xs: []u16) = map f64.u16 xs

-- ==
-- entry: from_u32
-- input { [0u32, 1u32] } output { [0.0f64, 1.0f64] }
entry from_u32 (xs: []u32) = map f64.u32 xs

-- ==
-- entry: from_u64
-- input { [0u64, 1u64] } output { [0.0f64, 1.0f64] }
entry from_u64 (xs: []u64) = map f64.u64 xs

-- ==
-- entry: from_float
-- input { 1.5f16 -2.25f32 0.125f64 true } output { 1.5f64 -2.25f64 0.125f64 1.0f64 }
entry from_float (x: f16) (y: f32) (z: f64) (b: bool) = (f64.f16 x, f64.f32 y, f64.f64 z, f64.bool b)
