-- Elementwise application.
-- ==
-- input { [1, 2, 3] } output { [2, 3, 4] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry main (xs: []i32) = map (+ 1) xs

-- ==
-- entry: nested
-- input { [[1, 2], [3, 4]] } output { [[2, 4], [6, 8]] }
entry nested (xss: [][]i32) = map (map (* 2)) xss

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [3, 7] }
entry rows (xss: [][]i32) = map1 i32.sum xss
