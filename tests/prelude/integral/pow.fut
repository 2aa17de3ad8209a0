-- Powers wrap around.
-- ==
-- entry: at_i8
-- input { [0i8, 2i8, 3i8, 7i8, -2i8, 5i8, 0i8] [0i8, 3i8, 4i8, 9i8, 7i8, 0i8, 5i8] }
-- output { [1i8, 8i8, 81i8, 71i8, -128i8, 1i8, 0i8] }
entry at_i8 (xs: []i8) (ys: []i8) = map2 (i8.**) xs ys

-- ==
-- entry: at_i16
-- input { [0i16, 2i16, 3i16, 7i16, -2i16, 5i16, 0i16] [0i16, 3i16, 4i16, 9i16, 7i16, 0i16, 5i16] }
-- output { [1i16, 8i16, 81i16, -16569i16, -128i16, 1i16, 0i16] }
entry at_i16 (xs: []i16) (ys: []i16) = map2 (i16.**) xs ys

-- ==
-- entry: at_i32
-- input { [0i32, 2i32, 3i32, 7i32, -2i32, 5i32, 0i32] [0i32, 3i32, 4i32, 9i32, 7i32, 0i32, 5i32] }
-- output { [1i32, 8i32, 81i32, 40353607i32, -128i32, 1i32, 0i32] }
entry at_i32 (xs: []i32) (ys: []i32) = map2 (i32.**) xs ys

-- ==
-- entry: at_i64
-- input { [0i64, 2i64, 3i64, 7i64, -2i64, 5i64, 0i64] [0i64, 3i64, 4i64, 9i64, 7i64, 0i64, 5i64] }
-- output { [1i64, 8i64, 81i64, 40353607i64, -128i64, 1i64, 0i64] }
entry at_i64 (xs: []i64) (ys: []i64) = map2 (i64.**) xs ys

-- ==
-- entry: at_u8
-- input { [0u8, 2u8, 3u8, 7u8, 254u8, 5u8, 0u8] [0u8, 3u8, 4u8, 9u8, 7u8, 0u8, 5u8] }
-- output { [1u8, 8u8, 81u8, 71u8, 128u8, 1u8, 0u8] }
entry at_u8 (xs: []u8) (ys: []u8) = map2 (u8.**) xs ys

-- ==
-- entry: at_u16
-- input { [0u16, 2u16, 3u16, 7u16, 65534u16, 5u16, 0u16] [0u16, 3u16, 4u16, 9u16, 7u16, 0u16, 5u16] }
-- output { [1u16, 8u16, 81u16, 48967u16, 65408u16, 1u16, 0u16] }
entry at_u16 (xs: []u16) (ys: []u16) = map2 (u16.**) xs ys

-- ==
-- entry: at_u32
-- input { [0u32, 2u32, 3u32, 7u32, 4294967294u32, 5u32, 0u32] [0u32, 3u32, 4u32, 9u32, 7u32, 0u32, 5u32] }
-- output { [1u32, 8u32, 81u32, 40353607u32, 4294967168u32, 1u32, 0u32] }
entry at_u32 (xs: []u32) (ys: []u32) = map2 (u32.**) xs ys

-- ==
-- entry: at_u64
-- input { [0u64, 2u64, 3u64, 7u64, 18446744073709551614u64, 5u64, 0u64] [0u64, 3u64, 4u64, 9u64, 7u64, 0u64, 5u64] }
-- output { [1u64, 8u64, 81u64, 40353607u64, 18446744073709551488u64, 1u64, 0u64] }
entry at_u64 (xs: []u64) (ys: []u64) = map2 (u64.**) xs ys
