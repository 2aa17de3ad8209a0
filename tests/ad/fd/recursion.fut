-- Recursive functions, on numbers and on arrays of shrinking size.
-- ==
-- input { } output { [true, true, true, true, true] }
import "lib/fd"

def power (x: f64) (n: i32) : f64 = if n == 0 then 1 else if n % 2 == 0 then power (x * x) (n / 2) else x * power x (n - 1)
def tree [n] (x: [n]f64) : f64 =
  if n == 0 then 1 else if n == 1 then x[0]
  else let h = n / 2 in f64.sin (tree x[:h]) * tree x[h:] + x[0]
def fold [n] (x: [n]f64) : []f64 = if n < 2 then x else [x[0] * x[n - 1]] ++ fold x[1:n - 1]

entry main =
  [check_number (\x -> power x 7) 1.3,
   check_number (\x -> power x 0) 1.3,
   check_scalar tree [0.7, -1.3, 2.1, 0.4, -0.6],
   check (\x -> fold x :> [3]f64) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian tree [0.7, -1.3, 2.1, 0.4, -0.6]]
