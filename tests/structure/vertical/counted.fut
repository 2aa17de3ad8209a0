-- Numbers that are counted up are not stored.
-- structure soac: screma 1
-- structure soac,c: loop 1, alloc 0
-- ==
-- input { 10i64 } output { 285i64 }
entry main (n: i64) : i64 = i64.sum (map (\i -> i * i) (iota n))
