-- Characters are integers.
-- ==
-- input { 97u8 } output { 1 }
-- input { 98u8 } output { 0 }
entry main (c: u8) : i32 = match c case 'a' -> 1 case _ -> 0

-- ==
-- entry: escapes
-- input { } output { [10, 39, 65] }
entry escapes : []i32 = ['\n', '\'', '\65']
