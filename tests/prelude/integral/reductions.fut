-- Sum, product, maximum and minimum of integers.
-- ==
-- entry: at_i8
-- input { [0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8] } output { 104i8 0i8 127i8 -128i8 }
-- input { empty([0]i8) } output { 0i8 1i8 -128i8 127i8 }
entry at_i8 (xs: []i8) = (i8.sum xs, i8.product xs, i8.maximum xs, i8.minimum xs)

-- ==
-- entry: at_i16
-- input { [0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16] } output { 1233i16 0i16 32767i16 -32768i16 }
-- input { empty([0]i16) } output { 0i16 1i16 -32768i16 32767i16 }
entry at_i16 (xs: []i16) = (i16.sum xs, i16.product xs, i16.maximum xs, i16.minimum xs)

-- ==
-- entry: at_i32
-- input { [0i32, 1i32, -1i32, 65536i32, -2147483648i32, 2147483647i32] } output { 65535i32 0i32 2147483647i32 -2147483648i32 }
-- input { empty([0]i32) } output { 0i32 1i32 -2147483648i32 2147483647i32 }
entry at_i32 (xs: []i32) = (i32.sum xs, i32.product xs, i32.maximum xs, i32.minimum xs)

-- ==
-- entry: at_i64
-- input { [0i64, 1i64, -1i64, 1099511627776i64, -9223372036854775808i64, 9223372036854775807i64] } output { 1099511627775i64 0i64 9223372036854775807i64 -9223372036854775808i64 }
-- input { empty([0]i64) } output { 0i64 1i64 -9223372036854775808i64 9223372036854775807i64 }
entry at_i64 (xs: []i64) = (i64.sum xs, i64.product xs, i64.maximum xs, i64.minimum xs)

-- ==
-- entry: at_u8
-- input { [0u8, 1u8, 200u8, 255u8] } output { 200u8 0u8 255u8 0u8 }
-- input { empty([0]u8) } output { 0u8 1u8 0u8 255u8 }
entry at_u8 (xs: []u8) = (u8.sum xs, u8.product xs, u8.maximum xs, u8.minimum xs)

-- ==
-- entry: at_u16
-- input { [0u16, 1u16, 40000u16, 65535u16] } output { 40000u16 0u16 65535u16 0u16 }
-- input { empty([0]u16) } output { 0u16 1u16 0u16 65535u16 }
entry at_u16 (xs: []u16) = (u16.sum xs, u16.product xs, u16.maximum xs, u16.minimum xs)

-- ==
-- entry: at_u32
-- input { [0u32, 1u32, 3000000000u32, 4294967295u32] } output { 3000000000u32 0u32 4294967295u32 0u32 }
-- input { empty([0]u32) } output { 0u32 1u32 0u32 4294967295u32 }
entry at_u32 (xs: []u32) = (u32.sum xs, u32.product xs, u32.maximum xs, u32.minimum xs)

-- ==
-- entry: at_u64
-- input { [0u64, 1u64, 9223372036854775808u64, 18446744073709551615u64] } output { 9223372036854775808u64 0u64 18446744073709551615u64 0u64 }
-- input { empty([0]u64) } output { 0u64 1u64 0u64 18446744073709551615u64 }
entry at_u64 (xs: []u64) = (u64.sum xs, u64.product xs, u64.maximum xs, u64.minimum xs)
