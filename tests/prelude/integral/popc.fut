-- How many bits are set.
-- ==
-- entry: at_i8
-- input { [0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8] } output { [0i32, 1i32, 8i32, 2i32, 1i32, 7i32, 3i32] }
entry at_i8 (xs: []i8) = map i8.popc xs

-- ==
-- entry: at_i16
-- input { [0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16] } output { [0i32, 1i32, 16i32, 5i32, 1i32, 15i32] }
entry at_i16 (xs: []i16) = map i16.popc xs

-- ==
-- entry: at_i32
-- input { [0i32, 1i32, -1i32, 65536i32, -2147483648i32, 2147483647i32] } output { [0i32, 1i32, 32i32, 1i32, 1i32, 31i32] }
entry at_i32 (xs: []i32) = map i32.popc xs

-- ==
-- entry: at_i64
-- input { [0i64, 1i64, -1i64, 1099511627776i64, -9223372036854775808i64, 9223372036854775807i64] } output { [0i32, 1i32, 64i32, 1i32, 1i32, 63i32] }
entry at_i64 (xs: []i64) = map i64.popc xs

-- ==
-- entry: at_u8
-- input { [0u8, 1u8, 200u8, 255u8] } output { [0i32, 1i32, 3i32, 8i32] }
entry at_u8 (xs: []u8) = map u8.popc xs

-- ==
-- entry: at_u16
-- input { [0u16, 1u16, 40000u16, 65535u16] } output { [0i32, 1i32, 5i32, 16i32] }
entry at_u16 (xs: []u16) = map u16.popc xs

-- ==
-- entry: at_u32
-- input { [0u32, 1u32, 3000000000u32, 4294967295u32] } output { [0i32, 1i32, 12i32, 32i32] }
entry at_u32 (xs: []u32) = map u32.popc xs

-- ==
-- entry: at_u64
-- input { [0u64, 1u64, 9223372036854775808u64, 18446744073709551615u64] } output { [0i32, 1i32, 1i32, 64i32] }
entry at_u64 (xs: []u64) = map u64.popc xs
