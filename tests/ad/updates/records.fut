-- Fields updated in records of arrays and arrays of records.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let r = {a = copy x, b = x[0]}
  let r.a[1] = r.b * r.a[2]
  let r.b = r.a[1] ** 2
  in r.a ++ [r.b]
def g [n] (x: [n]f64) =
  let rs = map (\v -> {p = v, q = (v * v, v)}) x
  let rs[1].p = rs[0].p * rs[2].p
  let rs[0].q.0 = rs[1].p
  in map (\r -> r.p + r.q.0 * r.q.1) rs

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1]]
