-- What is only summed is never stored.
-- structure soac: screma 1, screma.reduce 1
-- structure soac,c: loop 1, alloc 0
-- ==
-- input { [1f64, 2f64, 3f64] } output { 14.0f64 }
entry main (xs: []f64) : f64 = f64.sum (map (\x -> x * x) xs)
