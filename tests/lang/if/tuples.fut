-- Branches with several values.
-- ==
-- input { true } output { 1 [1.0] }
-- input { false } output { 2 [2.0] }
entry main (c: bool) : (i32, [1]f64) = if c then (1, [1]) else (2, [2])
