-- Operator sections.
-- ==
-- input { 10 } output { 7 -7 13 13 13 }
entry main (x: i32) = ((x -) 3, (3 -) x, (+ 3) x, (3 +) x, (+) x 3)

-- ==
-- entry: backtick
-- input { 10 } output { 9 11 }
entry backtick (x: i32) = let minus a b = a - b in ((`minus` 1) x, 21 `minus` x)

-- ==
-- entry: once
-- input { [1, 2, 3] } output { [3, 4, 5] }
entry once (xs: []i32) = map (+ (length xs |> i32.i64 |> (\n -> n - 1))) xs
