-- Loops whose iterations read and change places of their own, so that the return sweep runs forwards, and loops that
-- are nearly so: an iteration reads what another one writes, by a number or by an element.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def rows [n] (x: [n]f64) : *[4][4]f64 =
  tabulate_2d 4 4 (\i j -> f64.sin (x[(i + 2 * j) % n] * f64.i64 (1 + i + j)) + x[j % n])
def turn [m] (a: *[m][m]f64) (p: i64) (q: i64) (c: f64) (s: f64) : *[m][m]f64 =
  loop a for j in p..<m do
    let u = a[p, j]
    let v = a[q, j]
    let a[p, j] = c * u + s * v
    in a with [q, j] = c * v - s * u

-- The rows differ; and they may be the same.
def rotated [n] (x: [n]f64) =
  let a = loop a = rows x for p < 3i64 do
    loop a for q in p + 1..<4i64 do
      let r = f64.sqrt (a[p, p] * a[p, p] + a[q, p] * a[q, p])
      in turn a p q (a[p, p] / r) (a[q, p] / r)
  in flatten a
def same_rows [n] (x: [n]f64) =
  let a = loop a = rows x for p < 4i64 do turn a p ((p * 3) % 4) x[p] x[p + 1]
  in flatten a
-- With a branch and a loop inside.
def branching [n] (x: [n]f64) =
  let a = loop a = rows x for j < 4i64 do
    let s = a[1, j]
    let a = if s > 0.2 then a with [0, j] = s * a[0, j] * a[2, j] else a with [3, j] = s + a[0, j]
    in loop a for i < 3i64 do a with [i + 1, j] = a[i, j] * a[i + 1, j] * x[0] + s
  in flatten a
-- Each element from the one before; from the one behind; from the other half; backwards.
def after [n] (x: [n]f64) =
  loop a = copy x for i < n - 1 do a with [i + 1] = a[i] * x[1] + f64.sin (a[i + 1] * x[0])
def before [n] (x: [n]f64) =
  loop a = copy x for i < n - 1 do a with [i] = a[i] * x[1] + f64.sin (a[i + 1] * x[0])
def halves [n] (x: [n]f64) =
  loop a = x ++ x for i < n do
    let u = a[i] * a[n + i] * x[2]
    let a[i] = u + a[i]
    in a with [2 * n - 1 - i] = f64.sin u
def backwards [n] (x: [n]f64) =
  loop a = copy x for i < n do a with [n - 1 - i] = a[n - 1 - i] * x[3] * a[n - 1 - i]
-- A number that each iteration changes; numbers that are sums.
def number [n] (x: [n]f64) =
  let (a, s) = loop (a, s) = (copy x, 1.0) for i < n do
    let s = s * x[i] + a[i]
    in (a with [i] = s * a[i] * x[4], s)
  in a ++ [s]
def sums [n] (x: [n]f64) =
  let c = f64.cos x[0]
  let d = x[1] * x[1]
  let (a, s, t) = loop (a, s, t) = (copy x, c, d) for i < n do
    let u = a[i] * c + d * d * a[i]
    in (a with [i] = u, s + d * u + c, t + s)
  in a ++ [s, t]

def at = [0.7, -1.3, 2.1, 0.4, -0.6]
def total [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : f64 = f64.sum (map f64.sin (f x))
entry main =
  [check rotated at, check same_rows at, check branching at, check after at, check before at,
   check halves at, check backwards at, check number at, check sums at,
   check_hessian (total rotated) at, check_hessian (total branching) at]
