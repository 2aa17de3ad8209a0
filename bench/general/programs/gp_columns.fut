-- The marginal likelihood of a Gaussian process: the covariance is factorised by columns with slices,
-- then one triangular system is solved.
def covariance [n][d] (x: [n][d]f64) (scale: f64) (noise: f64) : [n][n]f64 =
  tabulate_2d n n (\i j ->
                     let r2 = f64.sum (map2 (\a b -> (a - b) * (a - b)) x[i] x[j])
                     in f64.exp (-0.5 * r2 / (scale * scale)) + (if i == j then noise * noise else 0))

def cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0) for j < n do
    let d = f64.sqrt (a[j, j] - f64.sum (map (\v -> v * v) l[j, :j]))
    let column =
      map (\i ->
             if i < j
             then 0
             else if i == j
             then d
             else (a[i, j] - f64.sum (map2 (*) l[i, :j] l[j, :j])) / d)
          (iota n)
    in l with [:, j] = column

def solve [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = replicate n 0 for i < n do
    y with [i] = (b[i] - f64.sum (map2 (*) l[i, :i] y[:i])) / l[i, i]

entry primal [n][d] (x: [n][d]f64) (y: [n]f64) (hyper: [2]f64) : f64 =
  let l = cholesky (covariance x (f64.exp hyper[0]) (f64.exp hyper[1]))
  let z = solve l y
  in -0.5 * f64.sum (map (\v -> v * v) z) - f64.sum (map (\i -> f64.log l[i, i]) (iota n))
     - 0.5 * f64.i64 n * f64.log (2 * f64.pi)

entry gradient [n][d] (x: [n][d]f64) (y: [n]f64) (hyper: [2]f64) : ([n][d]f64, [n]f64, [2]f64) =
  vjp (\(x, y, hyper) -> primal x y hyper) (x, y, hyper) 1
