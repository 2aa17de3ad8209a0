-- Permutations there and back.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def perm (n: i64) = map (\i -> (i * 3 + 1) % n) (iota n)
def f [n] (x: [n]f64) = let p = perm n let y = map (\i -> x[i] ** 2) p in scatter (replicate n 0) p (scan (+) 0 y)

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.product (f x)) [0.7, -1.3, 2.1, 0.4, -0.6]]
