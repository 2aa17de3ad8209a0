-- Two rows of a literal are computed where they go.
-- structure soac,c: alloc 1, copies 0
-- ==
-- input { [1i32, 2i32] } output { [[2i32, 3i32],  [2i32, 4i32]] }
entry main [n] (xs: [n]i32) : [2][n]i32 = [map (+ 1) xs, map (* 2) xs]
