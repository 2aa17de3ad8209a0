-- Ranges of other types.
-- ==
-- input { } output { [250u8, 251u8, 252u8] [-1i8, 0i8, 1i8] }
entry main = (250u8..<253u8, (-1i8)...1)
