-- The same value in all rows is no array.
-- structure soac: screma 1, replicate 0
-- structure soac,c: loop 1, alloc 1
-- ==
-- input { [1i32, 2i32] 5i32 } output { [6i32, 7i32] }
entry main [n] (xs: [n]i32) (k: i32) : [n]i32 = map2 (+) xs (replicate n k)
