-- Conditions that follow from others are decided.
-- structure soac: if 1
-- ==
-- input { 2i64 } output { 1i64 }
entry main (x: i64) : i64 = if x > 3 then (if x > 1 then x * x else 0) else 1
