-- Comparison operators of the integer modules.
-- ==
-- entry: at_i8
-- input { [0i8, 0i8, 0i8, 0i8, 0i8, 0i8, 0i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, -1i8, -1i8] [0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8, 0i8, 1i8, -1i8, 5i8, -128i8, 127i8, 100i8, 0i8, 1i8] }
-- output { [true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false] [false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true] [false, true, false, true, false, true, true, false, false, false, true, false, true, true, true, true] [true, true, false, true, false, true, true, false, true, false, true, false, true, true, true, true] [false, false, true, false, true, false, false, true, false, true, false, true, false, false, false, false] [true, false, true, false, true, false, false, true, true, true, false, true, false, false, false, false] }
entry at_i8 (xs: []i8) (ys: []i8) =
  (map2 (i8.==) xs ys, map2 (i8.!=) xs ys, map2 (i8.<) xs ys, map2 (i8.<=) xs ys,
   map2 (i8.>) xs ys, map2 (i8.>=) xs ys)

-- ==
-- entry: at_i16
-- input { [0i16, 0i16, 0i16, 0i16, 0i16, 0i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, -1i16, -1i16, -1i16, -1i16] [0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16, 0i16, 1i16, -1i16, 1234i16, -32768i16, 32767i16, 0i16, 1i16, -1i16, 1234i16] }
-- output { [true, false, false, false, false, false, false, true, false, false, false, false, false, false, true, false] [false, true, true, true, true, true, true, false, true, true, true, true, true, true, false, true] [false, true, false, true, false, true, false, false, false, true, false, true, true, true, false, true] [true, true, false, true, false, true, false, true, false, true, false, true, true, true, true, true] [false, false, true, false, true, false, true, false, true, false, true, false, false, false, false, false] [true, false, true, false, true, false, true, true, true, false, true, false, false, false, true, false] }
entry at_i16 (xs: []i16) (ys: []i16) =
  (map2 (i16.==) xs ys, map2 (i16.!=) xs ys, map2 (i16.<) xs ys, map2 (i16.<=) xs ys,
   map2 (i16.>) xs ys, map2 (i16.>=) xs ys)

-- ==
-- entry: at_i32
-- input { [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 1i32, 1i32, 1i32, 1i32, 1i32, 1i32, -1i32, -1i32, -1i32, -1i32] [0i32, 1i32, -1i32, 65536i32, -2147483648i32, 2147483647i32, 0i32, 1i32, -1i32, 65536i32, -2147483648i32, 2147483647i32, 0i32, 1i32, -1i32, 65536i32] }
-- output { [true, false, false, false, false, false, false, true, false, false, false, false, false, false, true, false] [false, true, true, true, true, true, true, false, true, true, true, true, true, true, false, true] [false, true, false, true, false, true, false, false, false, true, false, true, true, true, false, true] [true, true, false, true, false, true, false, true, false, true, false, true, true, true, true, true] [false, false, true, false, true, false, true, false, true, false, true, false, false, false, false, false] [true, false, true, false, true, false, true, true, true, false, true, false, false, false, true, false] }
entry at_i32 (xs: []i32) (ys: []i32) =
  (map2 (i32.==) xs ys, map2 (i32.!=) xs ys, map2 (i32.<) xs ys, map2 (i32.<=) xs ys,
   map2 (i32.>) xs ys, map2 (i32.>=) xs ys)

-- ==
-- entry: at_i64
-- input { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, -1i64, -1i64, -1i64, -1i64] [0i64, 1i64, -1i64, 1099511627776i64, -9223372036854775808i64, 9223372036854775807i64, 0i64, 1i64, -1i64, 1099511627776i64, -9223372036854775808i64, 9223372036854775807i64, 0i64, 1i64, -1i64, 1099511627776i64] }
-- output { [true, false, false, false, false, false, false, true, false, false, false, false, false, false, true, false] [false, true, true, true, true, true, true, false, true, true, true, true, true, true, false, true] [false, true, false, true, false, true, false, false, false, true, false, true, true, true, false, true] [true, true, false, true, false, true, false, true, false, true, false, true, true, true, true, true] [false, false, true, false, true, false, true, false, true, false, true, false, false, false, false, false] [true, false, true, false, true, false, true, true, true, false, true, false, false, false, true, false] }
entry at_i64 (xs: []i64) (ys: []i64) =
  (map2 (i64.==) xs ys, map2 (i64.!=) xs ys, map2 (i64.<) xs ys, map2 (i64.<=) xs ys,
   map2 (i64.>) xs ys, map2 (i64.>=) xs ys)

-- ==
-- entry: at_u8
-- input { [0u8, 0u8, 0u8, 0u8, 1u8, 1u8, 1u8, 1u8, 200u8, 200u8, 200u8, 200u8, 255u8, 255u8, 255u8, 255u8] [0u8, 1u8, 200u8, 255u8, 0u8, 1u8, 200u8, 255u8, 0u8, 1u8, 200u8, 255u8, 0u8, 1u8, 200u8, 255u8] }
-- output { [true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true] [false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false] [false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false] [true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true] [false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false] [true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true] }
entry at_u8 (xs: []u8) (ys: []u8) =
  (map2 (u8.==) xs ys, map2 (u8.!=) xs ys, map2 (u8.<) xs ys, map2 (u8.<=) xs ys,
   map2 (u8.>) xs ys, map2 (u8.>=) xs ys)

-- ==
-- entry: at_u16
-- input { [0u16, 0u16, 0u16, 0u16, 1u16, 1u16, 1u16, 1u16, 40000u16, 40000u16, 40000u16, 40000u16, 65535u16, 65535u16, 65535u16, 65535u16] [0u16, 1u16, 40000u16, 65535u16, 0u16, 1u16, 40000u16, 65535u16, 0u16, 1u16, 40000u16, 65535u16, 0u16, 1u16, 40000u16, 65535u16] }
-- output { [true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true] [false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false] [false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false] [true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true] [false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false] [true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true] }
entry at_u16 (xs: []u16) (ys: []u16) =
  (map2 (u16.==) xs ys, map2 (u16.!=) xs ys, map2 (u16.<) xs ys, map2 (u16.<=) xs ys,
   map2 (u16.>) xs ys, map2 (u16.>=) xs ys)

-- ==
-- entry: at_u32
-- input { [0u32, 0u32, 0u32, 0u32, 1u32, 1u32, 1u32, 1u32, 3000000000u32, 3000000000u32, 3000000000u32, 3000000000u32, 4294967295u32, 4294967295u32, 4294967295u32, 4294967295u32] [0u32, 1u32, 3000000000u32, 4294967295u32, 0u32, 1u32, 3000000000u32, 4294967295u32, 0u32, 1u32, 3000000000u32, 4294967295u32, 0u32, 1u32, 3000000000u32, 4294967295u32] }
-- output { [true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true] [false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false] [false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false] [true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true] [false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false] [true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true] }
entry at_u32 (xs: []u32) (ys: []u32) =
  (map2 (u32.==) xs ys, map2 (u32.!=) xs ys, map2 (u32.<) xs ys, map2 (u32.<=) xs ys,
   map2 (u32.>) xs ys, map2 (u32.>=) xs ys)

-- ==
-- entry: at_u64
-- input { [0u64, 0u64, 0u64, 0u64, 1u64, 1u64, 1u64, 1u64, 9223372036854775808u64, 9223372036854775808u64, 9223372036854775808u64, 9223372036854775808u64, 18446744073709551615u64, 18446744073709551615u64, 18446744073709551615u64, 18446744073709551615u64] [0u64, 1u64, 9223372036854775808u64, 18446744073709551615u64, 0u64, 1u64, 9223372036854775808u64, 18446744073709551615u64, 0u64, 1u64, 9223372036854775808u64, 18446744073709551615u64, 0u64, 1u64, 9223372036854775808u64, 18446744073709551615u64] }
-- output { [true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true] [false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false] [false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false] [true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true] [false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false] [true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true] }
entry at_u64 (xs: []u64) (ys: []u64) =
  (map2 (u64.==) xs ys, map2 (u64.!=) xs ys, map2 (u64.<) xs ys, map2 (u64.<=) xs ys,
   map2 (u64.>) xs ys, map2 (u64.>=) xs ys)
