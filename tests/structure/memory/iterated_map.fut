-- An iteration row by row needs one array.
-- structure soac,c: alloc 1, copies 1
-- ==
-- input { 3i32 [1f64, 2f64, 3f64] } output { [0.125f64, 0.25f64, 0.375f64] }
entry main [n] (k: i32) (xs: [n]f64) : [n]f64 = iterate k (map (* 0.5)) xs
