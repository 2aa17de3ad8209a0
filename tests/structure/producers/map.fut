-- One element of a map is the function of one element.
-- structure soac: screma 0
-- structure soac,c: loop 0, alloc 0
-- ==
-- input { [1f64, 2f64, 3f64] 1i64 } output { 7.38905609893065f64 }
entry main (xs: []f64) (i: i64) : f64 = (map (\x -> f64.exp x) xs)[i]
