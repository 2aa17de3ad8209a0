-- Cheap branches are computed both; conditions become boolean operations.
-- structure soac: if 0, screma 1
-- ==
-- input { [1i32, -2i32, 30i32] } output { [true, false, false] }
entry main (xs: []i32) : []bool = map (\x -> x > 0 && x < 10) xs
