-- Nests of any depth are fused at once: what fusion outside leaves as names for rows does not keep the maps inside
-- apart.
-- structure inline_calls,simplify,fuse: screma 4
-- ==
-- input { [[[[1i32, 2i32], [3i32, 4i32]]]] } output { [[[[4i32, 6i32], [8i32, 10i32]]]] }
entry main [n][m][k][l] (a: [n][m][k][l]i32) : [n][m][k][l]i32 =
  map (map (map (map (+ 2)))) (map (map (map (map (* 2)))) a)
