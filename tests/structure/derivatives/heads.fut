-- Columns that share a weight by their quotient, which need not come out even: the columns of each head are a sum, and
-- those that are left are added one by one.
-- structure soac: screma.reduce 1, upd_acc 2
-- ==
-- input { [1f64, 2f64, 3f64, 4f64, 5f64, 6f64, 7f64] [1f64, 1f64, 1f64] 3i64 } output { [14f64, 77f64, 49f64] }
-- input { [1f64, 2f64] [1f64, 1f64] 3i64 } output { [5f64, 0f64] }
def f [n] (xs: [n]f64) (ws: []f64) (d: i64) : f64 =
  f64.sum (map (\c -> ws[c / d] * xs[c] * xs[c]) (iota n))

entry main [n] (xs: [n]f64) (ws: []f64) (d: i64) = vjp (\ws -> f xs ws d) ws 1
