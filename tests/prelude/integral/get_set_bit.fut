-- Getting and setting single bits.
-- ==
-- entry: at_i8
-- input { } output { 1 0 8i8 -3i8 }
entry at_i8 = (i8.get_bit 7 (i8.not 0), i8.get_bit 0 2, i8.set_bit 3 0 1, i8.set_bit 1 (i8.not 0) 0)

-- ==
-- entry: at_i16
-- input { } output { 1 0 8i16 -3i16 }
entry at_i16 = (i16.get_bit 15 (i16.not 0), i16.get_bit 0 2, i16.set_bit 3 0 1, i16.set_bit 1 (i16.not 0) 0)

-- ==
-- entry: at_i32
-- input { } output { 1 0 8i32 -3i32 }
entry at_i32 = (i32.get_bit 31 (i32.not 0), i32.get_bit 0 2, i32.set_bit 3 0 1, i32.set_bit 1 (i32.not 0) 0)

-- ==
-- entry: at_i64
-- input { } output { 1 0 8i64 -3i64 }
entry at_i64 = (i64.get_bit 63 (i64.not 0), i64.get_bit 0 2, i64.set_bit 3 0 1, i64.set_bit 1 (i64.not 0) 0)

-- ==
-- entry: at_u8
-- input { } output { 1 0 8u8 253u8 }
entry at_u8 = (u8.get_bit 7 (u8.not 0), u8.get_bit 0 2, u8.set_bit 3 0 1, u8.set_bit 1 (u8.not 0) 0)

-- ==
-- entry: at_u16
-- input { } output { 1 0 8u16 65533u16 }
entry at_u16 = (u16.get_bit 15 (u16.not 0), u16.get_bit 0 2, u16.set_bit 3 0 1, u16.set_bit 1 (u16.not 0) 0)

-- ==
-- entry: at_u32
-- input { } output { 1 0 8u32 4294967293u32 }
entry at_u32 = (u32.get_bit 31 (u32.not 0), u32.get_bit 0 2, u32.set_bit 3 0 1, u32.set_bit 1 (u32.not 0) 0)

-- ==
-- entry: at_u64
-- input { } output { 1 0 8u64 18446744073709551613u64 }
entry at_u64 = (u64.get_bit 63 (u64.not 0), u64.get_bit 0 2, u64.set_bit 3 0 1, u64.set_bit 1 (u64.not 0) 0)
