-- Applying a function from the left.
-- ==
-- input { 3 } output { 8 }
entry main (x: i32) = x + 1 |> (* 2)

-- ==
-- entry: existential
-- input { [1i64, -2i64, 3i64] } output { 2i64 }
entry existential (xs: []i64) = xs |> filter (> 0) |> length
