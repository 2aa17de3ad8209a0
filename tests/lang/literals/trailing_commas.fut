-- Lists may end with a comma.
-- ==
-- input { } output { 1 2 [3, 4] }
entry main : (i32, i32, []i32) = (1, 2, [3, 4,],)

-- ==
-- entry: record
-- input { } output { 5 }
entry record : i32 = let r = {a = 5i32, b = true,} in r.a
