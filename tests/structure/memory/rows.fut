-- Rows of a map are computed where they go.
-- structure soac,c: loop 2, alloc 1, copies 0
-- ==
-- input { [1i32, 2i32] [3i32, 4i32] } output { [[4i32, 5i32],  [5i32, 6i32]] }
entry main [n][m] (xs: [n]i32) (ys: [m]i32) : [n][m]i32 = map (\x -> map (+ x) ys) xs
