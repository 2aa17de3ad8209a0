-- Loops that carry tuples, records and arrays together.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let (a, b, c) = loop (a, b, c) = (x[0], x[1], x) for i < n do
    (b + c[i], a * 0.5, map (+ a) c)
  in [a, b] ++ c
def g [n] (x: [n]f64) =
  let r = loop r = {p = 1f64, q = x, k = 0i64} for _i < 4i32 do
    {p = r.p * r.q[r.k], q = map (\v -> v * 0.9 + r.p * 0.1) r.q, k = (r.k + 1) % n}
  in [r.p] ++ r.q
def swap [n] (x: [n]f64) =
  let (a, b) = loop (a, b) = (x, reverse x) for _i < 3i32 do (b, map2 (*) a b)
  in a ++ b

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check swap [0.7, -1.3, 2.1]]
