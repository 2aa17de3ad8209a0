-- Literals of every kind.

-- ==
-- entry: a
-- input { }
-- output {
--   255u8
--   170u8
--   14i32
--   1000000i32
--   12f64
--   0.00100000005f32
--   1500f64
--   3f32
--   -1i8
--   1u8
--   171u16
--   3i64
-- }
entry a = ( 0xFFu8
          , 0b1010_1010u8
          , 0rXIVi32
          , 1_000_000
          , 0x1.8p3f64
          , 1e-3f32
          , 1.5e3
          , 3f32
          , 0xffi8
          , 257u8
          , 0Xabu16
          , 0B11i64
          )

-- ==
-- entry: b
-- input { } output { 97i32 97u8 10i32 39i32 92i32 34i32 65i32 233i32 }
entry b = ( 'a'
          , 'a' : u8
          , '\n' : i32
          , '\'' : i32
          , '\\' : i32
          , '"' : i32
          , '\65' : i32
          , 'é' : i32
          )

-- ==
-- entry: c
-- input { } output { 1f16 2f32 3f64 }
entry c : (f16, f32, f64) = (1, 2, 3)

-- ==
-- entry: d
-- input { } output { -128i8 -128i8 255u8 -9223372036854775808i64 18446744073709551615u64 }
entry d = ( -128i8
          , -128 : i8
          , 255 : u8
          , -9223372036854775808i64
          , 18446744073709551615u64
          )

-- ==
-- entry: e
-- input { } output { [1f64, 2.5f64, 3f64] }
entry e = [1, 2.5, 3]

-- ==
-- entry: f
-- input { } output { 1e+10f32 0f32 f64.inf -f32.inf }
entry f = (1.0e10 : f32, 1e-50 : f32, f64.inf, -f32.inf)

-- ==
-- entry: g
-- input { } output { empty([0]i32) empty([1][0]f32) }
entry g = ([] : []i32, [[]] : [1][0]f32)

-- ==
-- entry: h
-- input { } output { true false }
entry h = (true, false, ())

-- ==
-- entry: i
-- input { } output { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
entry i = [[1, 2, 3,], [4, 5, 6],]

-- ==
-- entry: j
-- input { } output { 2i32 }
entry j = ({a = 1i32, b = 2i32,}).b

-- ==
-- entry: k
-- input { } output { 2i32 }
entry k = (1i32, (2i32, 3i32),).1.0

-- ==
-- entry: l
-- input { } output { -2147483648i32 44u8 -32768i16 0u64 }
entry l = (0x7fffffffi32 + 1, 200u8 + 100, i16.highest + 1, u64.highest + 1)
