-- Dynamic programming and triangular solves in place.
-- ==
-- input { } output { [true, true, true, true, true] }
import "../fd/lib/fd"

def fib [n] (x: [n]f64) =
  loop a = copy x for i in 2..<n do a with [i] = a[i - 1] * a[i - 2] + a[i]
def prefix [n] (x: [n]f64) = loop a = copy x for i in 1..<n do a with [i] = a[i] + a[i - 1]
def solve [n] (x: [n]f64) =
  let l = map (\i -> map (\j -> if i == j then 2 + x[i] ** 2 else x[j]) (iota n)) (iota n)
  in loop b = copy x for i < n do
    b with [i] = (b[i] - f64.sum (map2 (*) l[i, :i] b[:i])) / l[i, i]
def path [n] (x: [n]f64) =
  let t = loop t = replicate n (replicate n 0) for i < n do
    loop t for j < n do
      let up = if i == 0 then 0 else t[i - 1, j]
      let left = if j == 0 then 0 else t[i, j - 1]
      in t with [i, j] = f64.min up left + x[i] * x[j]
  in t[n - 1]

entry main =
  [check fib [0.7, -1.3, 2.1, 0.4, -0.6],
   check prefix [0.7, -1.3, 2.1, 0.4, -0.6],
   check solve [0.7, -1.3, 2.1, 0.4, -0.6],
   check path [0.7, 1.3, 1.1, 0.4, 1.6],
   check_hessian (\x -> f64.sum (solve x)) [0.7, -1.3, 2.1]]
