-- Loops that lose what they read to some of their updates only: those alone are taken back.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def start [n] (x: [n]f64) : *[4][4]f64 =
  tabulate_2d 4 4 (\i j -> f64.sin (x[(i * 3 + j) % n] * f64.i64 (1 + i + 2 * j)) + x[i % n])
def greatest [m] (a: [m][m]f64) (p: i64) : i64 =
  (reduce_comm (\(u, i) (v, j) -> if u > v || (u == v && i < j) then (u, i) else (v, j)) (-1, m)
               (map (\i -> (f64.abs a[i, p], i)) (p..<m))).1
def swap [m] (a: *[m][m]f64) (p: i64) (q: i64) : *[m][m]f64 =
  let top = copy a[p]
  let a[p] = copy a[q]
  in a with [q] = top
def eliminate [m] (a: *[m][m]f64) (p: i64) : *[m][m]f64 =
  loop a for i in p + 1..<m do
    let f = a[i, p] / a[p, p]
    let a[i, p] = f
    in loop a for j in p + 1..<m do a with [i, j] = a[i, j] - f * a[p, j]

def lu [n] (x: [n]f64) =
  flatten (loop a = start x for p < 4i64 do eliminate (swap a p (greatest a p)) p)
-- What was there before the loop is wanted too.
def before [n] (x: [n]f64) =
  let a = start x
  let s = f64.sum (map (\v -> v * v) (flatten a))
  let a = loop a for p < 4i64 do eliminate (swap a p (greatest a p)) p
  in map (* s) (flatten a)
-- Rows that are swapped under a condition.
def perhaps [n] (x: [n]f64) =
  flatten (loop a = start x for p < 4i64 do
    let q = greatest a p
    let a = if q != p then swap a p q else a
    in eliminate a p)
-- The swap comes last.
def after [n] (x: [n]f64) =
  flatten (loop a = start x for p < 3i64 do swap (eliminate a p) (p + 1) (greatest a (p + 1)))
-- Twice, the second time on what the first one left.
def twice [n] (x: [n]f64) =
  flatten (loop a = start x for _k < 2i64 do
    loop a for p < 4i64 do eliminate (swap a p (greatest a p)) p)
-- A value that is read before the swap and used after it.
def read_before [n] (x: [n]f64) =
  flatten (loop a = start x for p < 4i64 do
    let v = a[3, p]
    let a = eliminate (swap a p (greatest a p)) p
    in a with [p, p] = a[p, p] * v)
-- Another parameter that changes too; the rows come from it.
def other [n] (x: [n]f64) =
  let (a, s) = loop (a, s) = (start x, 1) for p < 4i64 do
    let q = p + i64.f64 (f64.abs s) % (4 - p)
    let a = eliminate (swap a p q) p
    in (a, s * a[p, p] + 1)
  in map (+ s) (flatten a)

def sum_of [n] (f: [n]f64 -> []f64) (x: [n]f64) : f64 = f64.sum (map f64.sin (f x))
def at = [0.7, -1.3, 2.1, 0.4, -0.6]
def same_second [n] (f: [n]f64 -> []f64) (x: [n]f64) : bool =
  let hv = jvp (\y -> vjp (sum_of f) y 1) x (map (const 1) x)
  let vh = vjp (\y -> f64.sum (vjp (sum_of f) y 1)) x 1
  in all (\d -> d < 1e-8) (map2 (\a b -> f64.abs (a - b) / (1 + f64.abs a)) hv vh)

entry main =
  [check lu at, check before at, check perhaps at, check after at, check twice at,
   check read_before at, check other at, same_second lu at, same_second perhaps at]
