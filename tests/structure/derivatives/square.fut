-- A gradient of a sum of squares is one map.
-- structure soac: screma 1
-- structure soac,c: loop 1, alloc 1
-- ==
-- input { [1f64, 2f64] } output { [2.0f64, 4.0f64] }
entry main [n] (xs: [n]f64) : [n]f64 = vjp (\x -> f64.sum (map (\v -> v * v) x)) xs 1
