-- Arrays updated in place: tables and factorisations that lose nothing the return sweep reads.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true] }
import "lib/agree"

def prefix [n] (x: [n]f64) =
  f64.sum (map f64.sin (loop t = copy x for i < n - 1 do t with [i + 1] = t[i] * x[i + 1] + 0.3))
def down [n] (x: [n]f64) =
  let t = loop t = replicate n 1 for k < n - 1 do
    let i = n - 2 - k
    in t with [i] = t[i + 1] * x[i] + f64.sin t[n - 1]
  in t[0]
def triangle [n] (x: [n]f64) =
  let t = loop t = replicate n (replicate n 1f64) for i in 1..<n do
    loop t for j in 1..<i do t with [i, j] = 0.5 * t[i - 1, j] * t[i, j - 1] * x[j] + x[i]
  in f64.sum (map f64.product t)
def forward_substitution [n] (x: [n]f64) =
  let l i j = 0.1 * x[i] * x[j] + f64.bool (i == j)
  let y = loop y = replicate n 0f64 for i < n do
    let s = loop s = 0 for j < i do s + l i j * y[j] * y[j]
    in y with [i] = (x[i] - s) / l i i
  in f64.sum y
def lu [n] (a: [n][n]f64) : *[n][n]f64 =
  loop a = copy a for k < n do
    loop a for i in k + 1..<n do
      let a[i, k] = a[i, k] / a[k, k]
      in loop a for j in k + 1..<n do
           a with [i, j] = a[i, j] - a[i, k] * a[k, j]
def log_det [n] (x: [n]f64) =
  let a = lu (tabulate_2d n n (\i j -> x[i] * x[j] + f64.bool (i == j) * 3 + 0.1 * f64.i64 (i - j)))
  in f64.sum (map (\i -> f64.log a[i, i]) (iota n))
-- Rows of a table, each made of the one before.
def rows [n] (x: [n]f64) =
  let t = loop t = replicate 6 x for i in 1..<6i64 do
    t with [i] = map2 (\a b -> f64.sin (a * b)) t[i - 1] (rotate i x)
  in f64.sum (map f64.sum t)
-- The best way to split an interval.
def chain [n] (x: [n]f64) =
  let t = loop t = replicate n (replicate n 0f64) for len in 1..<n do
    loop t for i in 0..<n - len do
      let j = i + len
      let best = f64.minimum (map (\k -> t[i, i + k] + t[i + k + 1, j] + x[i] * x[i + k] * x[j]) (iota len))
      in t with [i, j] = best
  in t[0, n - 1]

entry main =
  let x = [0.7, 1.3, 0.4, 0.9, 1.1]
  in [ agree prefix x, agree down x, agree triangle x, agree forward_substitution x
     , agree log_det x, agree rows x, agree chain x, agree_second log_det x, agree_second triangle x ]
