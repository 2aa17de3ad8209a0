-- Shifts by type.
-- ==
-- input { } output { 100u8 -1i8 -64i8 }
entry main = (200u8 >> 1, -1i8 >> 1, 96i8 << 1)
