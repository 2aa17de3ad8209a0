-- Tables filled in order, halving, buffers that change places, sorting in place, rows that are written
-- over each other, sum types that loops carry, trees in arrays.
-- ==
-- input { [0.3, -0.7, 1.1, 0.45, 0.9, -0.2] } output { [true, true, true, true, true, true, true, true] }
-- input { [0.55] } output { [true, true, true, true, true, true, true, true] }
import "lib/fd"

def table [n] (x: [n]f64) : []f64 =
  last (loop t = replicate (n + 1) (replicate (n + 1) 0.1) for i in 1...n do
    loop t for j in 1...n do
      t with [i, j] = x[i - 1] * x[j - 1] + f64.max t[i - 1, j] (f64.max t[i, j - 1] (t[i - 1, j - 1] + 0.3)))

def halves [n] (x: [n]f64) : []f64 =
  let ys: []f64 = loop (ys: []f64) = x while length ys > 1 do
    let h = length ys / 2
    in map2 (\a b -> a * b + a) (take h ys) (take h (drop h ys))
  in [f64.sum ys]

def swapped [n] (x: [n]f64) : [n]f64 =
  let (a, b) = loop (a: *[n]f64, b: *[n]f64) = (copy x, replicate n 1) for i < n do
    let (u, v) = (a[i] * 2, b[n - 1 - i])
    in (b with [i] = u, a with [i] = v)
  in map2 (*) a b

def sorted [n] (x: [n]f64) : [n]f64 =
  scan (*) 1 (loop y = copy x for i < n do
    loop y for j < n - 1 - i do
      if y[j] > y[j + 1]
      then let (a, b) = (y[j], y[j + 1]) in (y with [j] = b) with [j + 1] = a
      else y)

def rows [n] (x: [n]f64) : [3]f64 =
  let m = tabulate_2d 3 n (\i j -> x[j] * f64.i64 i)
  let m = m with [1] = map f64.exp m[2]
  let m = m with [0, :] = map2 (*) (copy m[1]) (copy m[2])
  in map f64.sum m

type state = #grow f64 | #shrink f64 i64
def states [n] (x: [n]f64) : [1]f64 =
  let s = loop s: state = #grow 1 for i < n do
    match s
    case #grow v -> if i % 2 == 0 then #shrink (v * f64.exp x[i]) i else #grow (v + x[i])
    case #shrink v k -> #grow (v * f64.i64 (k + 1) + x[i] * x[i])
  in [match s case #grow v -> v case #shrink v _ -> v * v]

def tree [n] (x: [n]f64) : [2]f64 =
  let t = loop t = x ++ replicate n 0 for i < n do
    t with [n + i] = t[i] * (if i >= 2 then t[n + i / 2] else 1)
  in [last t, f64.sum t]

entry main [n] (x: [n]f64) : []bool =
  [check (\x -> table x :> [n + 1]f64) x, check (\x -> halves x :> [1]f64) x, check swapped x,
   check sorted x, check rows x, check states x, check tree x,
   check_hessian (\x -> f64.sum (tree x)) x]
