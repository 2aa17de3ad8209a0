-- A check that is the same in all iterations, beside one of the index, is made before the loop as well: a loop
-- without assertions and the one that reports.
-- structure soac,seq,simplify,hoist,lift_checks: loop 2
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 1i64 2i64 } output { 11 }
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 1i64 2i64 } error: out of bounds
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 2i64 2i64 } error: out of bounds
-- input { [[1, 2, 3], [4, 5, 6]] 7i64 2i64 0i64 } output { 0 }
entry main [n][m] (a: [n][m]i32) (i: i64) (from: i64) (k: i64) : i32 = loop s = 0 for j < k do s + a[i, from + j]
