-- Complement of literals, of every width, and of sizes.
-- ==
-- input { } output { -6i32 250u8 -1i64 [0i64, 1i64, 2i64] }
entry main = (!5i32, !5u8, !0i64, iota (!(-4)))
