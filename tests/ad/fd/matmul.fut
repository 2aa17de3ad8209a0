-- Matrix products, in several formulations.
-- ==
-- input { } output { [true, true, true, true] }
import "lib/fd"

def mm [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
def mm' [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a
def loops [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  tabulate_2d n p (\i j -> loop s = 0 for k < m do s + a[i, k] * b[k, j])
def outer [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  loop c = replicate n (replicate p 0) for k < m do
    map2 (\r i -> map2 (\x j -> x + a[i, k] * b[k, j]) r (iota p)) c (iota n)
def both [n] (f: [2][3]f64 -> [3][2]f64 -> [2][2]f64) (x: [n]f64) =
  flatten (f (unflatten (x[:6] :> [2 * 3]f64)) (unflatten (x[6:12] :> [3 * 2]f64)))
def x : [12]f64 = map (\i -> f64.sin (f64.i64 i) + 0.2) (iota 12)

entry main =
  [check (both mm) x,
   check (both mm') x,
   check (both loops) x,
   check (both outer) x]
