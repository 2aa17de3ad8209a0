-- Strings are arrays of bytes.
-- ==
-- input { } output { [97u8, 98u8, 99u8] }
entry main = "abc"

-- ==
-- entry: escapes
-- input { } output { [10u8, 9u8, 92u8, 34u8, 65u8, 65u8, 65u8] }
entry escapes = "\n\t\\\"\65\x41\o101"

-- ==
-- entry: utf8
-- input { } output { [195u8, 166u8] }
entry utf8 = "æ"

-- ==
-- entry: empty
-- input { } output { empty([0]u8) }
entry empty = ""

-- ==
-- entry: indexed
-- input { } output { 98u8 }
entry indexed = ("abc")[1]
