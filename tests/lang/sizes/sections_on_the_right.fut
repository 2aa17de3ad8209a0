-- The operand of a section on the right exists before the section does, once, whatever its size.
-- ==
-- entry: main
-- input { [3, -1, 2] [[1], [2]] } output { [[1, 3, 2], [2, 3, 2]] }

-- ==
-- entry: piped
-- input { [3, -1, 2] [7] } output { [7, 3, 2] [7, 3, 2, 3, 2] }

-- ==
-- entry: equal
-- input { [3, -1, 2] } output { 4i64 }

entry main (xs: []i32) (yss: [][]i32) = map (++ filter (> 0) xs) yss

entry piped (xs: []i32) (ys: []i32) =
  ( ys |> (++ filter (> 0) xs)
  , ys |> (++ filter (> 0) xs) |> (++ filter (> 0) xs) )

-- both results are of one size
entry equal (xs: []i32) =
  let add = (++ filter (> 0) xs)
  in length (zip (add [1i32, 2]) (add [3, 4]))
