-- Slices and indices together.
-- ==
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [4, 7] [[5, 6], [8, 9]] [[3, 2, 1], [9, 8, 7]] }
entry main (a: [][]i32) = (a[1:, 0], a[1:, 1:3], a[::2, ::-1])
