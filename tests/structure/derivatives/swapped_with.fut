-- Row swaps in a branch that also swaps the numbers of the rows, which are read in each iteration, or that gives a number
-- made of what was read before and after: numbers and rows are recorded, no matrix, and nothing is executed again.
-- structure sequential: loop 12, copy 12
-- ==
-- input { [[1f64, 2f64], [4f64, 2f64]] }
def swap [m] (a: *[m][m]f64) (p: i64) (q: i64) : *[m][m]f64 =
  let top = copy a[p]
  let a[p] = copy a[q]
  in a with [q] = top
def eliminate [m] (a: *[m][m]f64) (p: i64) : *[m][m]f64 =
  loop a for i in p + 1..<m do
    let f = a[i, p] / a[p, p]
    let a[i, p] = f
    in loop a for j in p + 1..<m do a with [i, j] = a[i, j] - f * a[p, j]
entry main [n] (x: [n][n]f64) : ([n][n]f64, [n][n]f64) =
  (vjp (\x ->
          let (a, _, s) = loop (a, perm, s) = (copy x, iota n, 1) for p < n do
            let q = (p * 3 + 1) % n
            let (a, perm) = if q == p then (a, perm)
                            else let t = perm[p]
                                 let perm[p] = perm[q]
                                 let perm[q] = t
                                 in (swap a p q, perm)
            let s = s * x[perm[p], 0]
            in (eliminate a p, perm, s)
          in s * f64.product (map (\i -> a[i, i]) (iota n)))
       x 1,
   vjp (\x ->
          let (a, s) = loop (a, s) = (copy x, 1) for p < n do
            let q = (p * 3 + 1) % n
            let (a, s) = if q == p then (a, s)
                         else let w = a[p, p]
                              let a = swap a p q
                              in (a, s * w + f64.sin a[q, 0])
            in (eliminate a p, s)
          in s * f64.product (map (\i -> a[i, i]) (iota n)))
       x 1)
