-- Several directions at once.
-- ==
-- input { [1.0, 2.0] } output { [[2.0, 1.0], [1.0, 1.0]] [[2.0, 1.0], [1.0, 1.0]] [2.0, 3.0] }
entry main (xs: [2]f64) =
  let f (v: [2]f64) = [v[0] * v[1], v[0] + v[1]]
  let eye = [[1, 0], [0, 1]]
  let (y, j) = mjp2 f xs eye
  in (transpose (jmp f xs eye), j, y)
