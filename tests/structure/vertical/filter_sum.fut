-- What is filtered and then summed.
-- structure soac,c: loop 2, alloc 1
-- ==
-- input { [1i32, 7i32, 3i32, 8i32] } output { 36i32 }
entry main (xs: []i32) : i32 = i32.sum (filter (> 2) (map (* 2) xs))
