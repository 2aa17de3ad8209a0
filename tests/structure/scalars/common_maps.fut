-- Equal maps are computed once.
-- structure soac: screma 1
-- structure soac,c: loop 1
-- ==
-- input { [1f64, 2f64] } output { 102.15827997845021f64 }
entry main (xs: []f64) : f64 = f64.sum (map f64.exp xs) * f64.sum (map f64.exp xs)
