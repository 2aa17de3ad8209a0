-- Conversions to u16 from every integer type.
-- ==
-- entry: from_i8
-- input { [0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8] } output { [0u16, 1u16, 255u16, 5u16, 128u16, 127u16, 100u16] }
entry from_i8 (xs: []i8) = map u16.i8 xs

-- ==
-- entry: from_i16
-- input { [0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16] } output { [0u16, 1u16, 65535u16, 1234u16, 32768u16, 32767u16] }
entry from_i16 (xs: []i16) = map u16.i16 xs

-- ==
-- entry: from_i32
-- input { [0i32, 1i32, -1i32, 65536i32, -2147483648i32, 2147483647i32] } output { [0u16, 1u16, 65535u16, 0u16, 0u16, 65535u16] }
entry from_i32 (xs: []i32) = map u16.i32 xs

-- ==
-- entry: from_i64
-- input { [0i64, 1i64, -1i64, 1099511627776i64, -9223372036854775808i64, 9223372036854775807i64] } output { [0u16, 1u16, 65535u16, 0u16, 0u16, 65535u16] }
entry from_i64 (xs: []i64) = map u16.i64 xs

-- ==
-- entry: from_u8
-- input { [0u8, 1u8, 200u8, 255u8] } output { [0u16, 1u16, 200u16, 255u16] }
entry from_u8 (xs: []u8) = map u16.u8 xs

-- ==
-- entry: from_u16
-- input { [0u16, 1u16, 40000u16, 65535u16] } output { [0u16, 1u16, 40000u16, 65535u16] }
entry from_u16 (xs: []u16) = map u16.u16 xs

-- ==
-- entry: from_u32
-- input { [0u32, 1u32, 3000000000u32, 4294967295u32] } output { [0u16, 1u16, 24064u16, 65535u16] }
entry from_u32 (xs: []u32) = map u16.u32 xs

-- ==
-- entry: from_u64
-- input { [0u64, 1u64, 9223372036854775808u64, 18446744073709551615u64] } output { [0u16, 1u16, 0u16, 65535u16] }
entry from_u64 (xs: []u64) = map u16.u64 xs

-- ==
-- entry: from_float
-- input { [1.9, 0.0, 100.2, f64.nan, f64.inf] } output { [1u16, 0u16, 100u16, 0u16, 0u16] }
entry from_float (xs: []f64) = map u16.f64 xs

-- ==
-- entry: from_other
-- input { [true, false] 2.5f32 3.5f16 } output { [1u16, 0u16] 2u16 3u16 }
entry from_other (xs: []bool) (y: f32) (z: f16) = (map u16.bool xs, u16.f32 y, u16.f16 z)
