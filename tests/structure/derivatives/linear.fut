-- The derivative of a sum is its weights.
-- structure soac: screma 0
-- structure soac,c: loop 0, alloc 0
-- ==
-- input { [1f64, 2f64] [3f64, 4f64] } output { [3.0f64, 4.0f64] }
entry main [n] (xs: [n]f64) (ws: [n]f64) : [n]f64 = vjp (\x -> f64.sum (map2 (*) x ws)) xs 1
