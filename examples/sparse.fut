-- Newton's method for a nonlinear boundary value problem, u'' = exp u, with a sparse Jacobian: however
-- many points there are, three derivatives in forward mode give all its entries.
-- ==
-- entry: main
-- input { 7i64 } output { [-0.050222, -0.085584, -0.106603, -0.113576, -0.106603, -0.085584, -0.050222] }
import "/prelude/derivatives"

-- The equations: zero at the solution.
def residual [n] (u: [n]f64) : [n]f64 =
  let h = 1 / f64.i64 (n + 1)
  let at i = if i < 0 || i >= n then 0 else u[i]
  in tabulate n (\i -> at (i - 1) - 2 * at i + at (i + 1) - h * h * f64.exp (at i))

-- Entries of row i of a tridiagonal matrix are the three from 3 * i on; the first and last are 0.
def solve [n] (m: [n * 3]f64) (b: [n]f64) : [n]f64 =
  let (c, d) =
    loop (c, d) = (replicate n 0, replicate n 0)
    for i < n do
      let (p, q) = if i == 0 then (0, 0) else (c[i - 1], d[i - 1])
      let w = m[3 * i + 1] - m[3 * i] * p
      in (c with [i] = m[3 * i + 2] / w, d with [i] = (b[i] - m[3 * i] * q) / w)
  in loop d for j < n - 1 do
       let i = n - 2 - j
       in d with [i] = d[i] - c[i] * d[i + 1]

entry main (n: i64) : [n]f64 =
  let rows = tabulate (n * 3) (/ 3)
  let columns = tabulate (n * 3) (\e -> i64.max 0 (i64.min (n - 1) (e / 3 + e % 3 - 1)))
  let outside e = let c = e / 3 + e % 3 - 1 in c < 0 || c >= n
  let colours = colour_columns n n rows columns
  in loop u = replicate n 0
     for _i < 6i32 do
       let m = coloured_jacobian residual u colours rows columns
       let m = map2 (\e v -> if outside e then 0 else v) (iota (n * 3)) m
       in map2 (-) u (solve m (residual u))
