-- A recursive function.
def pow (x: f64) (n: i32) : f64 = if n == 0 then 1 else x * pow x (n - 1)
-- ==
-- input { 2.0 4 } output { 32.0 32.0 }
entry main (x: f64) (n: i32) = (vjp (\y -> pow y n) x 1, jvp (\y -> pow y n) x 1)
