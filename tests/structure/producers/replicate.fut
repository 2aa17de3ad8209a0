-- An element of a replicate is what was replicated.
-- structure soac: replicate 0
-- ==
-- input { 10i64 3i64 5i32 } output { 5i32 }
entry main (n: i64) (i: i64) (x: i32) : i32 = (replicate n x)[i]
