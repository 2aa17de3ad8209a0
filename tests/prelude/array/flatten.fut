-- Fewer dimensions.
-- ==
-- input { [[1, 2], [3, 4]] } output { [1, 2, 3, 4] }
-- input { empty([0][2]i32) } output { empty([0]i32) }
entry main (xss: [][]i32) = flatten xss

-- ==
-- entry: three
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [1, 2, 3, 4, 5, 6, 7, 8] }
entry three (xs: [][][]i32) = flatten_3d xs

-- ==
-- entry: four
-- input { [[[[1, 2]], [[3, 4]]]] } output { [1, 2, 3, 4] }
entry four (xs: [][][][]i32) = flatten_4d xs

-- ==
-- entry: transposed
-- input { [[1, 2], [3, 4]] } output { [1, 3, 2, 4] }
entry transposed (xss: [][]i32) = flatten (transpose xss)
