-- Fusing the outer maps brings the inner ones together.
-- structure soac: screma 2, screma.reduce 1
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [8i32, 16i32] }
entry main (xss: [][]i32) : []i32 = map i32.sum (map (map (+ 1)) (map (map (* 2)) xss))
