-- One element of a map is computed alone.
-- structure soac: screma 0, index 1
-- ==
-- input { [1i32, 2i32, 3i32] 1i64 } output { 20i32 }
entry main (xs: []i32) (i: i64) : i32 = (map (* 10) xs)[i]
