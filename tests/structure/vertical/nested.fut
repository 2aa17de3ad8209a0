-- Rows of a product are fused inside too.
-- structure soac: screma 2
-- structure soac,c: loop 2, alloc 1
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [10i32, 18i32] }
entry main [n][m] (a: [n][m]i32) : [n]i32 = map (\r -> i32.sum (map (* 2) (map (+ 1) r))) a
