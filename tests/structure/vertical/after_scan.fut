-- What is made of a scan, row by row, is made as it runs; loops can do that.
-- structure soac: screma 2
-- structure soac,c: loop 1, alloc 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { [2i32, 6i32, 12i32] }
entry main (xs: []i32) : []i32 = map (* 2) (scan (+) 0 xs)
