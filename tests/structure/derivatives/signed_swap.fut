-- A factorisation whose row swaps are in a branch that also gives the sign: the rows are recorded, the
-- matrix is not copied, and the elimination is not executed again.
-- structure soac: loop 6, copy 6
-- ==
-- input { [[1f64, 2f64], [4f64, 2f64]] } output { [[-0.333333333333333f64, 0.666666666666667f64], [0.333333333333333f64, -0.166666666666667f64]] }
entry main [n] (x: [n][n]f64) : [n][n]f64 =
  vjp (\x ->
         let (a, s) = loop (a, s) = (copy x, 1) for p < n do
           let q = (reduce_comm (\(u, i) (v, j) -> if u > v || (u == v && i < j) then (u, i) else (v, j)) (-1, n)
                                (map (\i -> (f64.abs a[i, p], i)) (p..<n))).1
           let (a, s) = if q == p then (a, s)
                        else let top = copy a[p]
                             let a[p] = copy a[q]
                             let a[q] = top
                             in (a, -s)
           in (loop a for i in p + 1..<n do
                 let f = a[i, p] / a[p, p]
                 let a[i, p] = f
                 in loop a for j in p + 1..<n do a with [i, j] = a[i, j] - f * a[p, j],
               s)
         in f64.log (s * f64.product (map (\i -> a[i, i]) (iota n)) * -1))
      x 1
