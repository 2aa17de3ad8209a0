-- A lambda as last argument needs no parentheses.
-- ==
-- input { [1, 2] } output { [3, 5] }
entry main (xs: []i32) = map (\x -> x * 2) xs |> map \x -> x + 1
