-- So is a reversed one.
-- structure soac,c: loop 1, alloc 1, copies 0
-- ==
-- input { [1i32, 2i32, 3i32] } output { [4i32, 4i32, 4i32] }
entry main [n] (xs: [n]i32) : [n]i32 = map2 (+) xs (reverse xs)
