-- Conditionals.
-- ==
-- input { 3 } output { 1 }
-- input { -3 } output { -1 }
-- input { 0 } output { 0 }
entry main (x: i32) : i32 = if x > 0 then 1 else if x < 0 then -1 else 0

-- ==
-- entry: operand
-- input { true } output { 3 }
entry operand (c: bool) : i32 = 1 + if c then 2 else 3
