-- Bitwise complement.
-- ==
-- entry: at_i8
-- input { [0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8] } output { [-1i8, -2i8, 0i8, -6i8, 127i8, -128i8, -101i8] }
entry at_i8 (xs: []i8) = map i8.not xs

-- ==
-- entry: at_i16
-- input { [0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16] } output { [-1i16, -2i16, 0i16, -1235i16, 32767i16, -32768i16] }
entry at_i16 (xs: []i16) = map i16.not xs

-- ==
-- entry: at_i32
-- input { [0i32, 1i32, -1i32, 65536i32, -2147483648i32, 2147483647i32] } output { [-1i32, -2i32, 0i32, -65537i32, 2147483647i32, -2147483648i32] }
entry at_i32 (xs: []i32) = map i32.not xs

-- ==
-- entry: at_i64
-- input { [0i64, 1i64, -1i64, 1099511627776i64, -9223372036854775808i64, 9223372036854775807i64] } output { [-1i64, -2i64, 0i64, -1099511627777i64, 9223372036854775807i64, -9223372036854775808i64] }
entry at_i64 (xs: []i64) = map i64.not xs

-- ==
-- entry: at_u8
-- input { [0u8, 1u8, 200u8, 255u8] } output { [255u8, 254u8, 55u8, 0u8] }
entry at_u8 (xs: []u8) = map u8.not xs

-- ==
-- entry: at_u16
-- input { [0u16, 1u16, 40000u16, 65535u16] } output { [65535u16, 65534u16, 25535u16, 0u16] }
entry at_u16 (xs: []u16) = map u16.not xs

-- ==
-- entry: at_u32
-- input { [0u32, 1u32, 3000000000u32, 4294967295u32] } output { [4294967295u32, 4294967294u32, 1294967295u32, 0u32] }
entry at_u32 (xs: []u32) = map u32.not xs

-- ==
-- entry: at_u64
-- input { [0u64, 1u64, 9223372036854775808u64, 18446744073709551615u64] } output { [18446744073709551615u64, 18446744073709551614u64, 9223372036854775807u64, 0u64] }
entry at_u64 (xs: []u64) = map u64.not xs
