-- A filter is one loop: test, count, and write.
-- structure soac,c: loop 1, alloc 1, copies 0
-- ==
-- input { [1i32, 7i32, 3i32, 8i32] } output { [7i32, 3i32, 8i32] }
entry main (xs: []i32) : []i32 = filter (> 2) xs
