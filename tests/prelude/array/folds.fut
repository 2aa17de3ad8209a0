-- Sequential folds.
-- ==
-- input { [1, 2, 3] } output { -6 2 }
entry main (xs: []i32) = (foldl (-) 0 xs, foldr (-) 0 xs)

-- ==
-- entry: types
-- input { [1, 2, 3] } output { 6.0 }
entry types (xs: []i32) = foldl (\acc x -> acc + f64.i32 x) 0 xs
