-- A producer that reads what the scatter consumes cannot go into it.
-- structure soac: screma 1, scatter 1
-- ==
-- input { [5i32, 6i32, 7i32] [2i64, 0i64, 1i64] } output { [7i32, 8i32, 6i32] }
entry main [n] (dest: *[n]i32) (is: [n]i64) : *[n]i32 =
  let vs = map (+ 1) dest
  in scatter dest is vs
