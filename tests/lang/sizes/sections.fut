-- Sections of operands with sizes.
-- ==
-- entry: bound
-- input { [1f32, 0f32] [[1f32], [2f32]] } output { [3f32, 4f32] }
entry bound (xs: []f32) (m: [][]f32) =
  let ys = map (* 2) (filter (> 0.5) xs)
  in map f32.sum (map (ys ++) m)

-- ==
-- entry: known
-- input { [1, 2] [[3], [4]] } output { [[1, 2, 3], [1, 2, 4]] }
entry known [n] (xs: [n]i32) (m: [][]i32) = map (map (+ 0) xs ++) m

-- ==
-- entry: right
-- input { [1, 2] [[3], [4]] } output { [[3, 1, 2], [4, 1, 2]] }
entry right [n] (xs: [n]i32) (m: [][]i32) = map (++ xs) m
