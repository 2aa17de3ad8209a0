-- A scalar product is one loop.
-- structure soac: screma 1
-- structure soac,c: loop 1, alloc 0
-- ==
-- input { [1f64, 2f64, 3f64] [4f64, 5f64, 6f64] } output { 32.0f64 }
entry main [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
