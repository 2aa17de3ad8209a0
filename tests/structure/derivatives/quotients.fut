-- One map over all elements, whose index is taken apart by divisions, is a nest of maps: nothing is left to check in it,
-- only before it that the products of its sizes do not wrap around, and each weight is a sum over rows and columns.
-- structure soac: prim 7, assert 2, upd_acc 0, screma.reduce 2
-- ==
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] [2f64, 3f64, 4f64, 5f64] }
-- output { [21f64, 21f64, 21f64, 21f64] }
def f [n][m][k] (xs: [n][m]f64) (ws: [k]f64) : f64 =
  let one p =
    let (q, j) = (p / m, p % m)
    let (h, i) = (q / n, q % n)
    in ws[h] * xs[i, j]
  in f64.sum (map one (iota (k * n * m)))

entry main [n][m][k] (xs: [n][m]f64) (ws: [k]f64) : [k]f64 = vjp (f xs) ws 1
