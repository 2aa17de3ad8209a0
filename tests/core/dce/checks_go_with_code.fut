-- A check of what nothing uses goes with it.
-- structure dce: assert 0, index 0
-- ==
-- input { [1i32, 2i32] 1i64 } output { 3i32 }
entry main (xs: []i32) (i: i64) : i32 = let _ = xs[i] in 3
