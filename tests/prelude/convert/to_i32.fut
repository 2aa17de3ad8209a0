-- Conversions to i32 from every integer type.
-- ==
-- entry: from_i8
-- input { [0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8] } output { [0i32, 1i32, -1i32, 5i32, -128i32, 127i32, 100i32] }
entry from_i8 (xs: []i8) = map i32.i8 xs

-- ==
-- entry: from_i16
-- input { [0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16] } output { [0i32, 1i32, -1i32, 1234i32, -32768i32, 32767i32] }
entry from_i16 (xs: []i16) = map i32.i16 xs

-- ==
-- entry: from_i32
-- input { [0i32, 1i32, -1i32, 65536i32, -2147483648i32, 2147483647i32] } output { [0i32, 1i32, -1i32, 65536i32, -2147483648i32, 2147483647i32] }
entry from_i32 (xs: []i32) = map i32.i32 xs

-- ==
-- entry: from_i64
-- input { [0i64, 1i64, -1i64, 1099511627776i64, -9223372036854775808i64, 9223372036854775807i64] } output { [0i32, 1i32, -1i32, 0i32, 0i32, -1i32] }
entry from_i64 (xs: []i64) = map i32.i64 xs

-- ==
-- entry: from_u8
-- input { [0u8, 1u8, 200u8, 255u8] } output { [0i32, 1i32, 200i32, 255i32] }
entry from_u8 (xs: []u8) = map i32.u8 xs

-- ==
-- entry: from_u16
-- input { [0u16, 1u16, 40000u16, 65535u16] } output { [0i32, 1i32, 40000i32, 65535i32] }
entry from_u16 (xs: []u16) = map i32.u16 xs

-- ==
-- entry: from_u32
-- input { [0u32, 1u32, 3000000000u32, 4294967295u32] } output { [0i32, 1i32, -1294967296i32, -1i32] }
entry from_u32 (xs: []u32) = map i32.u32 xs

-- ==
-- entry: from_u64
-- input { [0u64, 1u64, 9223372036854775808u64, 18446744073709551615u64] } output { [0i32, 1i32, 0i32, -1i32] }
entry from_u64 (xs: []u64) = map i32.u64 xs

-- ==
-- entry: from_float
-- input { [1.9, 0.0, 100.2, f64.nan, f64.inf] } output { [1i32, 0i32, 100i32, 0i32, 0i32] }
entry from_float (xs: []f64) = map i32.f64 xs

-- ==
-- entry: from_other
-- input { [true, false] 2.5f32 3.5f16 } output { [1i32, 0i32] 2i32 3i32 }
entry from_other (xs: []bool) (y: f32) (z: f16) = (map i32.bool xs, i32.f32 y, i32.f16 z)
