-- Rows are rotated.  The return sweep reads both adjoints before it changes them, since the rows differ, and makes
-- none of them zero in between; what it adds to the adjoints of c and s is added up first.
-- structure sequential: update 17, prim 93
-- ==
-- input { [[1.0, 2.0, 0.5], [0.5, 3.0, 1.0], [2.0, 1.0, 1.5]] }
def rotate_rows [k] (x: [k][k]f64) : f64 =
  let a = loop a = copy x for p < k - 1 do
    loop a for q in p + 1..<k do
      let r = f64.sqrt (a[p, p] * a[p, p] + a[q, p] * a[q, p])
      let c = a[p, p] / r
      let s = a[q, p] / r
      in loop a for j in p..<k do
        let u = a[p, j]
        let v = a[q, j]
        let a[p, j] = c * u + s * v
        in a with [q, j] = c * v - s * u
  in f64.sum (tabulate k (\i -> f64.abs a[i, i]))
entry main [k] (x: [k][k]f64) = vjp rotate_rows x 1
