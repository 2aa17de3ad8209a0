-- The extremes of each type and their widths.
-- ==
-- entry: at_i8
-- input { } output { 127i8 -128i8 8 }
entry at_i8 = (i8.highest, i8.lowest, i8.num_bits)

-- ==
-- entry: at_i16
-- input { } output { 32767i16 -32768i16 16 }
entry at_i16 = (i16.highest, i16.lowest, i16.num_bits)

-- ==
-- entry: at_i32
-- input { } output { 2147483647i32 -2147483648i32 32 }
entry at_i32 = (i32.highest, i32.lowest, i32.num_bits)

-- ==
-- entry: at_i64
-- input { } output { 9223372036854775807i64 -9223372036854775808i64 64 }
entry at_i64 = (i64.highest, i64.lowest, i64.num_bits)

-- ==
-- entry: at_u8
-- input { } output { 255u8 0u8 8 }
entry at_u8 = (u8.highest, u8.lowest, u8.num_bits)

-- ==
-- entry: at_u16
-- input { } output { 65535u16 0u16 16 }
entry at_u16 = (u16.highest, u16.lowest, u16.num_bits)

-- ==
-- entry: at_u32
-- input { } output { 4294967295u32 0u32 32 }
entry at_u32 = (u32.highest, u32.lowest, u32.num_bits)

-- ==
-- entry: at_u64
-- input { } output { 18446744073709551615u64 0u64 64 }
entry at_u64 = (u64.highest, u64.lowest, u64.num_bits)
