-- Branches that update an array and give other things too: another array, which is read in each iteration, in several
-- places, or by what the branch does next; a number that is computed from what is read before and after the update.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def start [n] (x: [n]f64) : *[4][4]f64 =
  tabulate_2d 4 4 (\i j -> f64.sin (x[(i * 3 + j) % n] * f64.i64 (1 + i + 2 * j)) + x[i % n])
def swap [m] (a: *[m][m]f64) (p: i64) (q: i64) : *[m][m]f64 =
  let top = copy a[p]
  let a[p] = copy a[q]
  in a with [q] = top
def swap_numbers [m] (a: *[m]i64) (p: i64) (q: i64) : *[m]i64 =
  let t = a[p]
  let a[p] = a[q]
  in a with [q] = t
def eliminate [m] (a: *[m][m]f64) (p: i64) : *[m][m]f64 =
  loop a for i in p + 1..<m do
    let f = a[i, p] / (2 + a[p, p] * a[p, p])
    let a[i, p] = f
    in loop a for j in p + 1..<m do a with [i, j] = a[i, j] - f * a[p, j]

-- Both are swapped; each is read afterwards.
def two [n] (x: [n]f64) =
  let (a, perm, s) = loop (a, perm, s) = (start x, iota 4, 1.0) for p < 4i64 do
    let q = (p * 3 + 1) % 4
    let (a, perm) = if q == p then (a, perm) else (swap a p q, swap_numbers perm p q)
    let s = s * x[perm[p]] + f64.i64 perm[3 - p] + a[q, 1]
    in (eliminate a p, perm, s)
  in flatten a ++ [s] ++ map f64.i64 perm
-- One is swapped by what the other one has: the parts cannot come in any order.
def by_other [n] (x: [n]f64) =
  let (a, perm, s) = loop (a, perm, s) = (start x, iota 4, 1.0) for p < 4i64 do
    let q = (p * 3 + 1) % 4
    let (a, perm) = if q == p then (a, perm)
                    else let r = perm[q] in (swap a p r, swap_numbers perm p q)
    let s = s * a[perm[p], p] + x[perm[q]]
    in (eliminate a p, perm, s)
  in flatten a ++ [s] ++ map f64.i64 perm
def crossed [n] (x: [n]f64) =
  let (a, b) = loop (a, b) = (copy x, map f64.cos x) for p < n do
    let q = (p * 3 + 1) % n
    let (a, b) = if q == p then (a, b)
                 else let u = a[p] * b[q]
                      let v = a[q] + b[p]
                      in (a with [q] = u * v, b with [p] = v - u)
    in (a with [p] = a[p] * b[p], b)
  in a ++ b
-- Both branches update, one of them another way.
def both_update [n] (x: [n]f64) =
  let (a, b, s) = loop (a, b, s) = (copy x, map f64.cos x, 0.0) for p < n do
    let q = (p * 3 + 1) % n
    let (a, b) = if a[p] > b[q] then (a with [q] = a[p] * a[q], loop b for i < 3i64 do b with [i] = b[i] * b[q])
                 else (loop a for i < 2i64 do a with [i] = f64.sin (a[i] * a[p]), b with [p] = b[q] * b[q])
    in (a, b, s * a[q] + b[p])
  in a ++ b ++ [s]
-- A number from before and after.
def weight [n] (x: [n]f64) =
  let (a, s) = loop (a, s) = (start x, 1.0) for p < 4i64 do
    let q = (p * 3 + 1) % 4
    let (a, s) = if q == p then (a, f64.cos s * a[p, 3 - p])
                 else let w = a[p, p]
                      let a = swap a p q
                      in (a, s * w + f64.sin (s * a[q, 0]))
    in (eliminate a p, s)
  in map (* s) (flatten a)
-- Read in the body, in a branch that updates nothing, and in one that does.
def weights [n] (x: [n]f64) =
  let (a, s) = loop (a, s) = (start x, 1.0) for p < 4i64 do
    let q = (p * 3 + 1) % 4
    let u = a[p, q]
    let s = s + (if u > 0 then a[q, p] * u else a[p, p] * s)
    let a = if q == p then a else let v = a[q, q] * u in (swap a p q) with [p, q] = v * s
    in (eliminate a p, s)
  in map (* s) (flatten a)

def at = [0.7, -1.3, 2.1, 0.4, -0.6]
def total [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : f64 = f64.sum (map f64.sin (f x))
entry main =
  [check two at, check by_other at, check crossed at, check both_update at, check weight at, check weights at,
   check_hessian (total two) at, check_hessian (total weight) at, check_hessian (total both_update) at]
