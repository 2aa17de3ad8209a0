-- Single bits of a float.
-- ==
-- input { } output { 1i32 0i32 -1.0f32 }
entry main = (f32.get_bit 31 (-1), f32.get_bit 31 1, f32.set_bit 31 1 1)
