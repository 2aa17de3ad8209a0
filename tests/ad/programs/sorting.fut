-- What sorting does to derivatives.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def insertion [n] (x: [n]f64) =
  loop a = copy x for i in 1..<n do
    (loop (a, j) = (a, i) while j > 0 && a[j - 1] > a[j] do
      let t = a[j]
      let a[j] = a[j - 1]
      let a[j - 1] = t
      in (a, j - 1)).0
def quantile [n] (x: [n]f64) = let s = insertion x in 0.3 * s[1] + 0.7 * s[2] ** 2

entry main =
  [check insertion [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar quantile [0.7, -1.3, 2.1, 0.4, -0.6],
   vjp quantile [3, 1, 2] 1 == [2.8 * 3 * 0.5, 0, 0.3]]
