-- Arithmetic wraps around.
-- ==
-- input { } output { 44u8 -2147483648 0u8 }
entry main = (200u8 + 100u8, 2147483647i32 + 1, 16u8 * 16)
