-- Rows become columns.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] }
-- input { empty([0][2]i32) } output { empty([2][0]i32) }
entry main (xss: [][]i32) = transpose xss

-- ==
-- entry: inner
-- input { [[[1, 2], [3, 4]]] } output { [[[1, 3], [2, 4]]] }
entry inner (xs: [][][]i32) = map transpose xs
