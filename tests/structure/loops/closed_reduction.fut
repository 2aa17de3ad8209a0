-- So it is for a reduction.
-- structure soac: screma 0, loop 0
-- ==
-- input { 5i64 } output { 15i64 }
entry main (n: i64) : i64 = i64.sum (replicate n 3)
