-- The return sweep reads columns as they were before the loop over them, which is neither executed again nor taken back.
-- structure soac: loop 6, copy 3, assert 0
-- ==
-- input { [[1.0, 2.0, 0.5], [0.5, 3.0, 1.0], [2.0, 1.0, 1.5]] }
def reflect [k] (x: [k][k]f64) : f64 =
  let a = loop a = copy x for p < k - 1 do
    let v = copy a[:, p]
    in loop a for j in p..<k do
      let s = f64.sum (map (\i -> v[i] * a[i, j]) (p..<k))
      in loop a for i in p..<k do a with [i, j] = a[i, j] - s * v[i]
  in f64.sum (tabulate k (\i -> f64.abs a[i, i]))
entry main [k] (x: [k][k]f64) = vjp reflect x 1
