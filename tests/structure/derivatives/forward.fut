-- A tangent goes along with the value.
-- structure soac: screma 1
-- structure soac,c: loop 1, alloc 0
-- ==
-- input { [1f64, 2f64] [3f64, 4f64] } output { 37.71106988109974f64 }
entry main [n] (xs: [n]f64) (ds: [n]f64) : f64 = jvp (\x -> f64.sum (map f64.exp x)) xs ds
