-- Conversions one after the other: widening to an unsigned type fills up with zeros.
-- ==
-- input { -128i8 } output { 128i64 4294967168u32 65408u64 -128i32 128u64 128i32 -1i64 }
entry main (x: i8) : (i64, u32, u64, i32, u64, i32, i64) =
  (i64.i32 (i32.u64 (u64.i8 x)), u32.i64 (i64.i8 x), u64.i16 (i16.i8 x), i32.i64 (i64.i8 x),
   u64.u8 (u8.i8 x), i32.u8 (u8.i8 x), i64.f64 (f64.i8 (x / 127)) + 1)
