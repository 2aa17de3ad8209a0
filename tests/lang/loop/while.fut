-- Loops with a condition.
-- ==
-- input { 100 } output { 128 7 }
entry main (n: i32) : (i32, i32) = loop (x, i) = (1, 0) while x < n do (x * 2, i + 1)
