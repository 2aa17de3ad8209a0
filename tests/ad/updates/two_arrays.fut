-- Two arrays updated in turns, each from the other.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let (a, b) = loop (a, b) = (copy x, map f64.sin x) for i < n do
    let a[i] = a[i] * b[n - 1 - i]
    let b[i] = b[i] + a[i] ** 2
    in (a, b)
  in a ++ b
def ping [n] (x: [n]f64) =
  let (a, _) = loop (a, b) = (copy x, replicate n 0) for i < 2 * n do
    let b[i % n] = a[i % n] * x[(i + 1) % n]
    in (b, a)
  in a

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check ping [0.7, -1.3, 2.1]]
