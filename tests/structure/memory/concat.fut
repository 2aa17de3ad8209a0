-- Parts of a concatenation are computed where they go.
-- structure soac,c: loop 2, alloc 1, copies 0
-- ==
-- input { [1i32, 2i32] [3i32, 4i32] } output { [2i32, 3i32, 6i32, 8i32] }
entry main (xs: []i32) (ys: []i32) : []i32 = map (+ 1) xs ++ map (* 2) ys
