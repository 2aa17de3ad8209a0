-- An index that was checked is not checked again.
-- structure soac: assert 1
-- ==
-- input { [1i32, 2i32, 3i32] 1i64 } output { 6i32 }
entry main (xs: []i32) (i: i64) : i32 = xs[i] * xs[i] + xs[i]
