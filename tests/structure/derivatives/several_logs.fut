-- Arrays that one branch updates: each leaves a record of what it overwrites, one number for each
-- iteration.  Places and conditions are read again.
-- structure soac: scratch 2
-- ==
-- input { [2i64,0i64,5i64,2i64] [0.5,1.5,-0.5,2.0] [0.1,0.2,0.3] [1.0,2.0,-1.0] }
-- output { [-2.0, 0.0, 0.0, -1.8] [2.0, 1.0, -1.6] [1.6, 1.0, 0.64] }
entry main [n][m] (is: [n]i64) (x: [n]f64) (a: [m]f64) (b: [m]f64) =
  vjp (\(x, a, b) ->
         let (a, b) = loop (a, b) = (copy a, copy b) for i < n do
           let k = is[i]
           in if k < m
              then let (u, w) = (a[k], b[k])
                   in (a with [k] = u + w * x[i], b with [k] = w * u - x[i])
              else (a, b)
         in f64.sum a + f64.sum b)
      (x, a, b) 1
