-- Affine indices are checked before the loop: one without assertions, and one with them for when
-- the check fails.  An index that depends on data is checked in both.
-- structure soac,seq,simplify,hoist,lift_checks,simplify,dce: loop 2, assert 3
-- ==
-- input { [1i64, 0i64, 2i64] 1i64 2i64 } output { 3i64 }
-- input { [1i64, 0i64, 2i64] 1i64 3i64 } error: Index \[3\] out of bounds
-- input { [1i64, 0i64, 3i64] 1i64 2i64 } error: Index \[3\] out of bounds
entry main [n] (a: [n]i64) (k: i64) (m: i64) : i64 = loop s = 0 for j < m do s + a[a[k + j]]
