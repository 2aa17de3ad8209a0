-- Tuples are flat: zip and unzip are nothing.
-- structure soac: screma 1
-- structure soac,c: loop 1, alloc 1
-- ==
-- input { [1i32, 2i32] [3i32, 4i32] } output { [3i32, 4i32] [4i32, 6i32] }
entry main [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  unzip (map (\(x, y) -> (y, x + y)) (zip xs ys))
