-- Choices of two constants have the type of the constants, in C too.
-- ==
-- input { true false 3u32 }
-- output { 81037118u32 4294967294i64 348051774975651916u64 4294967261u32 }
-- input { false true 3u32 }
-- output { 0u32 0i64 0u64 11u32 }
entry main (b: bool) (c: bool) (x: u32) : (u32, i64, u64, u32) =
  (((if b then 0u32 else 46u32) - 32u32) / 53u32,
   (if b then 2147483647 else 0) + (if c then 0 else 2147483647) - (if c then 0i64 else 0),
   ((if b then 0u64 else 46) - 32) / 53,
   (if b then 0u32 else 46) - 32 - x)
