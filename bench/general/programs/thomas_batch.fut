-- Many tridiagonal systems by elimination (Thomas), each with two loops that write in place; weighted
-- sums of the solutions.
def solve [n] (lower: [n]f64) (diag: [n]f64) (upper: [n]f64) (rhs: [n]f64) : [n]f64 =
  let (c, d) =
    loop (c, d) = (replicate n 0, replicate n 0) for i < n do
      let (pc, pd) = if i == 0 then (0, 0) else (c[i - 1], d[i - 1])
      let m = diag[i] - lower[i] * pc
      in (c with [i] = upper[i] / m, d with [i] = (rhs[i] - lower[i] * pd) / m)
  in loop x = d for q < n - 1 do
       let i = n - 2 - q
       in x with [i] = x[i] - c[i] * x[i + 1]

entry primal [b][n]
             (lower: [b][n]f64) (diag: [b][n]f64) (upper: [b][n]f64) (rhs: [b][n]f64) (w: [n]f64) : f64 =
  let xs = map4 solve lower diag upper rhs
  in f64.sum (map (\x -> f64.sum (map3 (\v w u -> v * w + u) x w (map (** 2) x))) xs) / f64.i64 b

entry gradient [b][n]
               (lower: [b][n]f64) (diag: [b][n]f64) (upper: [b][n]f64) (rhs: [b][n]f64) (w: [n]f64)
             : ([b][n]f64, [b][n]f64, [b][n]f64, [b][n]f64) =
  vjp (\(l, d, u, r) -> primal l d u r w) (lower, diag, upper, rhs) 1
