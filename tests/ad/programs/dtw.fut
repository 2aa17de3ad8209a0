-- Dynamic time warping: a table of minima, row by row.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def dtw [n] (a: [n]f64) (b: [n]f64) =
  let table = loop t = replicate (n + 1) (replicate (n + 1) 1e3) with [0, 0] = 0 for i < n do
    loop t for j < n do
      t with [i + 1, j + 1] = (a[i] - b[j]) ** 2 + f64.min t[i, j] (f64.min t[i, j + 1] t[i + 1, j])
  in table[n, n]
def f (x: [8]f64) = dtw (x[0:4] :> [4]f64) (x[4:8] :> [4]f64)

entry main =
  [check_scalar f [0.7, -1.3, 2.1, 0.4, -0.6, 0.8, 2.4, 0.1]]
