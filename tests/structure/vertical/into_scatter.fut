-- A map before a scatter goes along.
-- structure soac: screma 0, scatter 1
-- structure soac,c: loop 1, alloc 1
-- ==
-- input { [0i64, 2i64] [5i32, 6i32] } output { [0i32, 10i32, 0i32, 12i32] }
entry main [n] (is: [n]i64) (vs: [n]i32) : [4]i32 =
  scatter (replicate 4 0) (map (+ 1) is) (map (* 2) vs)
