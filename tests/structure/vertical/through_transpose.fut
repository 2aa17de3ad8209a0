-- A transposed map is a map whose inner loop runs across.
-- structure soac,c: alloc 1, copies 0
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] } output { [6i32, 14i32, 22i32] }
entry main [n][m] (a: [n][m]i32) : [n]i32 =
  map i32.sum (transpose (map (map (* 2)) (transpose a)))
