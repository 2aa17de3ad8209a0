-- A loop that runs once is its body.
-- structure soac: loop 0
-- ==
-- input { 5i64 } output { 25i64 }
entry main (x: i64) : i64 = loop s = x for _i < 1i32 do s * s
