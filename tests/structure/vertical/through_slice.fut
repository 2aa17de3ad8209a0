-- Half of a map is a map over half of the input.
-- structure soac,c: loop 1, alloc 1
-- ==
-- input { [1i32, 2i32, 3i32, 4i32] } output { [3i32, 5i32] }
entry main [n] (xs: [n]i32) : []i32 = map (+ 1) (map (* 2) xs[0:n / 2])
