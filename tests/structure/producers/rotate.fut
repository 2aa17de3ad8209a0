-- A rotated array is read where it was.
-- structure soac: concat 0
-- structure soac,c: loop 1, alloc 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { [3i32, 5i32, 4i32] }
entry main [n] (xs: [n]i32) : [n]i32 = map2 (+) xs (rotate 1 xs)
