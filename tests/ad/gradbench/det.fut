-- Determinants by expansion of minors, recursively; the gradient is the adjugate.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def minor [n] (a: [n][n]f64) (j: i64) : [][]f64 = map (\r -> r[:j] ++ r[j + 1:]) a[1:]
def det3 (a: [3][3]f64) =
  a[0, 0] * (a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1]) - a[0, 1] * (a[1, 0] * a[2, 2] - a[1, 2] * a[2, 0])
  + a[0, 2] * (a[1, 0] * a[2, 1] - a[1, 1] * a[2, 0])
def det (n: i64) (m: i64) (used: i64) (a: [][]f64) : f64 =
  if m == n then 1
  else (loop (s, sign) = (0, 1) for j < n do
          if (used >> j) & 1 == 1 then (s, sign)
          else (s + sign * a[m, j] * det n (m + 1) (used | (1 << j)) a, -sign)).0
def flat [k] (x: [k]f64) = det 3 0 0 (unflatten (x :> [3 * 3]f64))
def x = [2, 0.3, -1, 0.5, 1.7, 0.2, -0.4, 0.9, 3]
def same [n] (a: [n]f64) (b: [n]f64) = and (map2 (close 1e-10) a b)

entry main =
  [check_scalar flat x,
   close 1e-12 (flat x) (det3 (unflatten (x :> [3 * 3]f64))),
   same (vjp flat x 1) (vjp (\y -> det3 (unflatten (y :> [3 * 3]f64))) x 1)]
