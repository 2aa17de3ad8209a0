-- The body of a loop is fused.
-- structure soac: screma 1
-- structure soac,c: loop 2
-- ==
-- input { 3i32 [1f64, 2f64] } output { [1.0f64, 1.125f64] }
entry main [n] (k: i32) (xs: [n]f64) : [n]f64 =
  loop xs for _i < k do map (* 0.5) (map (+ 1) xs)
