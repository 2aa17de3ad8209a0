-- Irregular maps.
-- ==
-- input { [2i64, 0i64, 3i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64] [0i64, 1i64, 0i64, 1i64, 2i64] }
entry main (xs: []i64) = flatmap' iota xs

-- ==
-- entry: uniform
-- input { [3i64, 1i64] }
-- output { [2i64, 0i64] [true, false] [0i64, 2i64] [1i64, 2i64] [30i64, 10i64] }
entry uniform (xs: []i64) = flatmap (\x -> (filter (> 0) (iota x), x * 10)) xs
