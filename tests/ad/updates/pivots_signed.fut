-- Loops that swap rows in a branch which gives other things too: only the rows that it swaps are recorded.
-- ==
-- input { } output { [true, true, true, true, true, true, true] }
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

-- The branch that swaps also gives a sign.
def signed [n] (x: [n]f64) =
  let (a, s) = loop (a, s) = (start x, 1) for p < 4i64 do
    let q = greatest a p
    let (a, s) = if q != p then (swap a p q, -s) else (a, s)
    in (eliminate a p, s)
  in map (* s) (flatten a)
-- It gives a number that is not linear: in what was before, in what is after.
def weighted [n] (x: [n]f64) =
  let (a, s) = loop (a, s) = (start x, 1.0) for p < 4i64 do
    let q = greatest a p
    let (a, s) =
      if q == p then (a, s)
      else let w = a[p, p]
           let a = swap a p q
           in (a, s * w + f64.sin (s * a[q, 0]))
    in (eliminate a p, s)
  in map (* s) (flatten a)
def reweighted [n] (x: [n]f64) =
  let (a, s) = loop (a, s) = (start x, 1.0) for p < 4i64 do
    let q = greatest a p
    let (a, s) =
      if q == p then (a, f64.cos s * a[p, 3 - p])
      else let a = swap a p q in (a, s * a[p, p])
    in (eliminate a p, s)
  in map (* s) (flatten a)
-- It swaps the numbers of the rows too.
def permuted [n] (x: [n]f64) =
  let (a, perm, s) = loop (a, perm, s) = (start x, iota 4, 1f64) for p < 4i64 do
    let q = greatest a p
    let (a, perm, s) = if q == p then (a, perm, s) else
       let a = swap a p q
       let t = copy perm[p]
       let perm[p] = copy perm[q]
       let perm[q] = t
       in (a, perm, -s)
    in (eliminate a p, perm, s)
  in flatten (map2 (\row i -> map (\v -> v * s * f64.i64 (i + 1) + v * v) row) a perm)
-- These are read in each iteration.
def reordered [n] (x: [n]f64) =
  let (a, perm, s) = loop (a, perm, s) = (start x, iota 4, 1f64) for p < 4i64 do
    let q = greatest a p
    let (a, perm) = if q == p then (a, perm) else
       let a = swap a p q
       let t = copy perm[p]
       let perm[p] = copy perm[q]
       let perm[q] = t
       in (a, perm)
    let s = s * x[perm[p]] + f64.i64 perm[3 - p]
    in (eliminate a p, perm, s)
  in map (* s) (flatten a)
-- A right-hand side that is swapped and eliminated too.
def both [n] (x: [n]f64) =
  let (a, b) = loop (a, b) = (start x, map f64.exp [x[0], x[1], x[2], x[3]]) for p < 4i64 do
    let q = greatest a p
    let (a, b) = if q == p then (a, b) else
       let t = copy b[p]
       let b[p] = copy b[q]
       let b[q] = t
       in (swap a p q, b)
    let b = loop b for i in p+1..<4 do b with [i] = b[i] - a[i, p] / a[p, p] * b[p]
    in (eliminate a p, b)
  in b ++ flatten a

def sum_of [n] (f: [n]f64 -> []f64) (x: [n]f64) : f64 = f64.sum (map f64.sin (f x))
def at = [0.7, -1.3, 2.1, 0.4, -0.6]
def same_second [n] (f: [n]f64 -> []f64) (x: [n]f64) : bool =
  let hv = jvp (\y -> vjp (sum_of f) y 1) x (map (const 1) x)
  let vh = vjp (\y -> f64.sum (vjp (sum_of f) y 1)) x 1
  in all (\d -> d < 1e-8) (map2 (\a b -> f64.abs (a - b) / (1 + f64.abs a)) hv vh)

def right [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : bool =
  close_matrix 2e-5 (reverse_mode f x) (differences f x)

entry main =
  [right signed at, right weighted at, right reweighted at, right permuted at, right reordered at,
   right both at, same_second signed at]
