-- Indices and values of a scatter are computed with it.
-- structure soac: screma 0, scatter 1
-- ==
-- input { [0i32, 0i32, 0i32] [2i64, 0i64] } output { [1i32, 0i32, 5i32] }
entry main (dest: *[]i32) (is: []i64) : *[]i32 =
  scatter dest (map (+ 0) is) (map (\i -> i32.i64 (i * 2 + 1)) is)
