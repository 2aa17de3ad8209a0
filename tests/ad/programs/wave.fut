-- A wave by leapfrog with two time levels, in place.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def run [n] (c: [n]f64) =
  let (a, _) = loop (a, b) = (map (\i -> f64.sin (f64.i64 i)) (iota n), replicate n 0) for _t < 8i32 do
    let next = loop next = copy b for i in 1..<n - 1 do
      next with [i] = 2 * a[i] - next[i] + 0.1 * c[i] * (a[i - 1] - 2 * a[i] + a[i + 1])
    in (next, a)
  in a

entry main =
  [check run [0.7, -1.3, 2.1, 0.4, -0.6]]
