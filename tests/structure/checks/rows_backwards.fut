-- The way back through the rows: they are where they were, and need no checks.
-- The check of unflatten is one more, and what it proves is not used for the index m[i].
-- structure soac: assert 5
-- ==
-- input { [1f64, 2f64, 3f64, 4f64] 2i64 }
-- output { [4f64, 5f64, 2f64, 3f64] }
def rows [n] (x: [n]f64) (k: i64) : f64 =
  let m = loop m = unflatten (copy x :> [(n / k) * k]f64) for i in 1..<n / k do
    m with [i] = map2 (\a b -> a * b + b) m[i - 1] m[i]
  in f64.sum (flatten m)

entry main [n] (x: [n]f64) (k: i64) : [n]f64 = vjp (\x -> rows x k) x 1
