-- Functions of the elements of an input's rows, inside of what goes through all rows again and again, are computed once.
-- structure sequential: screma 3
-- structure sequential,hoist_parts: screma 5
-- ==
-- input { [[1f64, 2f64], [0f64, -1f64]] [[0f64, 1f64], [2f64, 0.5f64]] } output { [96.02750174270302f64, 10.107337927389695f64] }
entry main [n][k][d] (x: [n][d]f64) (l: [k][d]f64) : [n]f64 =
  map (\p -> f64.sum (map (\m -> f64.sum (map2 (\a b -> (a * f64.exp b) ** 2) p m)) l)) x
