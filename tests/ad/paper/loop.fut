-- A loop.
def pow (x: f64) (n: i32) : f64 = loop y = 1 for _i < n do y * x
-- ==
-- input { 2.0 5 } output { 80.0 80.0 }
entry main (x: f64) (n: i32) = (vjp (\x -> pow x n) x 1, jvp (\x -> pow x n) x 1)
