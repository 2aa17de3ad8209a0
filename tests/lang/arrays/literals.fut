-- Array literals.
-- ==
-- input { 1 } output { [1, 2] [[1, 2], [3, 4]] }
entry main (x: i32) : ([]i32, [][]i32) = ([x, x + 1], [[x, 2], [3, 4]])

-- ==
-- entry: rows
-- input { [1, 2] [3, 4] } output { [[1, 2], [3, 4], [1, 2]] }
entry rows (a: [2]i32) (b: [2]i32) = [a, b, a]

-- ==
-- entry: tuples
-- input { 5 } output { [5, 6] [true, false] }
entry tuples (x: i32) = unzip [(x, true), (x + 1, false)]
