-- Random arguments.
-- ==
-- random input { [100]i32 5i64 } output { true true }
entry main (xs: []i32) (k: i64) = (length xs == 100, k == 5)
