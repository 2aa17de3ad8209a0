-- Loops over arrays.
-- ==
-- input { [1, 2, 3] } output { 123 }
entry main (xs: []i32) : i32 = loop acc = 0 for x in xs do acc * 10 + x

-- ==
-- entry: pairs
-- input { [1, 2] [3, 4] } output { 14 }
entry pairs [n] (xs: [n]i32) (ys: [n]i32) : i32 = loop acc = 0 for (x, y) in zip xs ys do acc * 2 + x * y
