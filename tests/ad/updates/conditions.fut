-- Loops that update an array in branches whose condition is made of several, the later ones only where the first
-- holds, and read it in these: what the conditions give is kept, and the array is not taken back.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def start [n] (x: [n]f64) : *[4][4]f64 =
  tabulate_2d 4 4 (\i j -> 0.5 * (f64.sin (x[(i + j) % n] * f64.i64 (1 + i + j)) + x[j % n] + x[i % n]))
def turn [m] (a: *[m][m]f64) (p: i64) (q: i64) (c: f64) (s: f64) : *[m][m]f64 =
  loop a for i < m do
    let u = a[i, p]
    let v = a[i, q]
    let a[i, p] = c * u - s * v
    in a with [i, q] = s * u + c * v

def both_hold [n] (x: [n]f64) =
  let a = loop a = start x for p < 4i64 do
    loop a for q < 4i64 do
      if p < q && f64.abs a[p, q] > 0.3
      then turn a p q (f64.cos (0.3 * a[p, q])) (f64.sin (0.3 * a[q, p]))
      else a
  in flatten a
def one_holds [n] (x: [n]f64) =
  let a = loop a = start x for p < 4i64 do
    loop a for q < 4i64 do
      if p >= q || (f64.abs a[p, q] <= 0.3 && a[q, q] < a[p, p]) then a
      else turn a p q (f64.cos (0.3 * a[p, q])) 0.25
  in flatten a
-- The number that a branch reads is used in the branch that updates, and after it.
def chosen [n] (x: [n]f64) =
  let (a, t) = loop (a, t) = (start x, 0) for p < 4i64 do
    loop (a, t) for q < 4i64 do
      let u = if p < q && a[p, q] > 0.2 then a[p, q] * a[q, p] else x[0]
      let a = if u > 0.1 then turn a p q u (u * u) else a
      in (a, t + u * u)
  in flatten a ++ [t]
def while_both [n] (x: [n]f64) =
  let (a, _) = loop (a, i) = (start x, 0i64) while i < 12 do
    let p = i % 4
    let q = (i * 3 + 1) % 4
    let a = if p != q && a[p, q] < 0.9 then turn a p q a[p, p] 0.5 else a
    in (a, i + 1)
  in flatten a

def at = [0.7, -1.3, 2.1, 0.4, -0.6]
entry main = [check both_hold at, check one_holds at, check chosen at, check while_both at]
