-- Functions are gone.
-- structure soac: fun 1, call 0
-- ==
-- input { [1f64, 2f64] } output { 2.23606797749979f64 }
def square (x: f64) = x * x
def norm (xs: []f64) = f64.sqrt (f64.sum (map square xs))
entry main (xs: []f64) : f64 = norm xs
