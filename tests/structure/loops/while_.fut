-- A condition is computed once an iteration.
-- structure soac: loop 1, prim 8
-- ==
-- input { 27i64 } output { 2227i64 }
entry main (n: i64) : i64 = loop n while n > 10 && n < 1000 do n * 3 + 1
