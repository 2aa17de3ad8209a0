-- Integer literals in all bases.
-- ==
-- input { } output { 255 5 14 1000000 97 }
entry main : (i32, i32, i32, i32, i32) = (0xff, 0b101, 0rXIV, 1_000_000, 'a')

-- ==
-- entry: suffixes
-- input { } output { 1u8 -128i8 -1i8 300i16 }
entry suffixes = (257u8, 128i8, 0xffi8, 300i16)

-- ==
-- entry: lowest
-- input { } output { -128i8 -9223372036854775808i64 }
entry lowest : (i8, i64) = (-128, -9223372036854775808)
