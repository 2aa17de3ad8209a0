-- A record result runs, without a value to compare.
-- ==
-- input { 3 }
entry main (x: i32) = {a = x, b = [x, x]}
