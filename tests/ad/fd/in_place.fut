-- Updates in place in loops: elements, slices, rows, fields, reads of what was written.
-- ==
-- input { } output { [true, true, true, true, true, true, true] }
import "lib/fd"

def recur [n] (x: [n]f64) =
  loop a = copy x for i in 1..<n do a with [i] = a[i] * a[i - 1] + f64.sin a[0]
def again [n] (x: [n]f64) =
  loop a = copy x for i < 2 * n do
    let j = i % n
    in a with [j] = a[j] * a[(j + 1) % n]
def slices [n] (x: [n]f64) =
  let a = copy x
  let a[0:2] = map (* x[2]) x[3:5]
  let a[4:1:-1] = map2 (*) a[0:3] x[0:3]
  in a
def rows [n] (x: [n]f64) =
  let m = replicate 3 x
  let m = loop m for i < 2i64 do
    let m[i + 1] = map2 (*) m[i] (rotate i x)
    let m[i, 0] = m[i + 1, 1] * x[2]
    in m
  in flatten m
def field [n] (x: [n]f64) =
  let r = {a = copy x, k = x[0]}
  let r = loop r for i < n do
    let r.a[i] = r.a[i] * r.k
    in r with k = r.k + r.a[i]
  in r.a ++ [r.k]
def records [n] (x: [n]f64) =
  let rs = map (\v -> {p = v, q = [v, v * v]}) x
  let rs[1].q[0] = x[0] * x[2]
  let rs[0].p = rs[1].q[0] ** 2
  in map (\r -> r.p * r.q[0] + r.q[1]) rs

entry main =
  [check recur [0.7, -1.3, 2.1, 0.4, -0.6],
   check again [0.7, 1.3, 1.1],
   check slices [0.7, -1.3, 2.1, 0.4, -0.6],
   check rows [0.7, 1.3, 1.1],
   check field [0.7, 1.3, 1.1],
   check records [0.7, 1.3, 1.1],
   check_hessian (\x -> f64.sum (recur x)) [0.7, 1.3, 1.1]]
