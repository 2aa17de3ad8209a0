-- Empty arrays whose rows have sizes.
-- ==
-- input { [1, 2] } output { 0i64 3i64 empty([0][2]i32) }
entry main [n] (xs: [n]i32) =
  let none : [0][3]i32 = []
  let more : [0][n]i32 = []
  in (length none, length (flatten [[1i32, 2, 3]] ++ flatten none), more ++ [] : [0 + 0][n]i32)
