-- The gradient of a function on a small array has neither loops nor memory, but for its result.
-- structure soac,c: loop 0, alloc 1, copies 0, array 1
-- ==
-- input { [3f64, 4f64] } output { [0.6f64, 0.8f64] }
entry main (x: [2]f64) : [2]f64 = vjp (\x -> f64.sqrt (f64.sum (map (\a -> a * a) x))) x 1
