-- A chain of maps is one map.
-- structure soac: screma 1, screma.map 1
-- structure soac,c: loop 1, alloc 1, copies 0
-- ==
-- input { [1f64, 2f64, 3f64] } output { [2.0f64, 4.0f64, 6.0f64] }
entry main (xs: []f64) : []f64 = map f64.sqrt (map (* 4) (map (\x -> x * x) xs))
