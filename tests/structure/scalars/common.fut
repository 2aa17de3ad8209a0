-- Equal expressions are computed once.
-- structure soac: prim 3
-- ==
-- input { 2f64 3f64 } output { 806.8575869854702f64 }
entry main (x: f64) (y: f64) : f64 = f64.exp (x * y) + f64.exp (x * y)
