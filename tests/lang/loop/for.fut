-- Counting loops.
-- ==
-- input { 3 } output { 15 }
-- input { 0 } output { 1 }
-- input { -5 } output { 1 }
entry main (n: i32) : i32 = loop x = 1 for _i < n do x * 2 + 1

-- ==
-- entry: index
-- input { 5i8 } output { 10i8 }
entry index (n: i8) = loop s = 0 for i < n do s + i
