-- Elimination without pivoting, updating a matrix in place.
-- ==
-- input { } output { [true] }
import "lib/fd"

def solve [n] (a: *[n][n]f64) (b: *[n]f64) : [n]f64 =
  let (a, b) = loop (a, b) for k < n do
    loop (a, b) for i in k + 1..<n do
      let f = a[i, k] / a[k, k]
      let a = loop a for j in k..<n do a with [i, j] = a[i, j] - f * a[k, j]
      let b[i] = b[i] - f * b[k]
      in (a, b)
  in loop b for l < n do
    let i = n - 1 - l
    let s = f64.sum (map2 (*) a[i, i + 1:] b[i + 1:])
    in b with [i] = (b[i] - s) / a[i, i]
def f [n] (x: [n]f64) =
  let a = copy (unflatten (x[:9] :> [3 * 3]f64))
  in solve a (copy (sized 3 x[9:12]))

entry main =
  [check f [4, 1, 0.5, 0.3, 5, -1, 2, 0.7, 6, 1, 2, 3]]
