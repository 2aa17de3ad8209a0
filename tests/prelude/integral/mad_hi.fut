-- The upper half of the product plus a third number.
-- ==
-- input { } output { 8u8 64i8 2i32 }
entry main = (u8.mad_hi 255 255 10, i8.mad_hi (-128) (-128) 0, i32.mad_hi 65536 65536 1)
