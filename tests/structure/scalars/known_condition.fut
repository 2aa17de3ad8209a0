-- Inside of a branch its condition is known.
-- structure soac: if 1
-- ==
-- input { 2i32 } output { 1i32 }
entry main (x: i32) : i32 = if x > 3 then (if x > 3 then x * x else 0) else 1
