-- Replicates vanish in what maps over them.
-- structure soac: screma 1, replicate 0, iota 1
-- ==
-- input { 4i64 3i64 } output { [3i64, 4i64, 5i64, 6i64] }
entry main (n: i64) (x: i64) : []i64 = map2 (+) (iota n) (replicate n x)
