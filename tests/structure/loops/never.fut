-- A loop that never runs is its start.
-- structure soac: loop 0
-- ==
-- input { 5i64 } output { 5i64 }
entry main (x: i64) : i64 = loop s = x for _i < 0i32 do s * s
