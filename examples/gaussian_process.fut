-- # A Gaussian process
--
-- Regression with error bars. How far apart points influence each other, how much the function varies, and how noisy the data are, is learned by
-- maximising the marginal likelihood; its gradient goes through a Cholesky factorisation, which is an ordinary loop here.
-- ==
-- entry: main
-- input { 24i64 60i64 } output { -10.993634 [0.000394, 0.470963, -1.663507] }

import "lib/random"

def kernel (p: [3]f64) (a: f64) (b: f64) : f64 = f64.exp (2 * p[1] - (a - b) ** 2 / (2 * f64.exp (2 * p[0])))

def cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0)
  for j < n do
    let dot i = f64.sum (map2 (*) l[i,:j] l[j,:j])
    let d = f64.sqrt (a[j, j] - dot j)
    let column = tabulate n (\i -> if i < j then 0 else if i == j then d else (a[i, j] - dot i) / d)
    in l with [:, j] = column

-- The solutions of L x = b and of its transpose:

def forward [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop x = replicate n 0 for i < n do x with [i] = (b[i] - f64.sum (map2 (*) l[i,:i] x[:i])) / l[i, i]

def backward [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop x = replicate n 0
  for k < n do
    let i = n - 1 - k
    in x with [i] = (b[i] - f64.sum (map2 (*) l[i + 1:, i] x[i + 1:])) / l[i, i]

def covariance [n] (xs: [n]f64) (p: [3]f64) : [n][n]f64 =
  tabulate_2d n n (\i j -> kernel p xs[i] xs[j] + (if i == j then f64.exp (2 * p[2]) + 1e-8 else 0))

def loglikelihood [n] (xs: [n]f64) (ys: [n]f64) (p: [3]f64) : f64 =
  let l = cholesky (covariance xs p)
  let z = forward l ys
  in -0.5 * f64.sum (map (** 2) z) - f64.sum (tabulate n (\i -> f64.log l[i, i])) - 0.5 * f64.i64 n * f64.log (2 * f64.pi)

def points (n: i64) : ([n]f64, [n]f64) =
  let xs = tabulate n (\i -> 6 * uniform 1 i)
  in (xs, map2 (\x e -> f64.sin (2 * x) + 0.4 * x + 0.15 * e) xs (normals n 2))

def fit (n: i64) (steps: i64) : [3]f64 =
  let (xs, ys) = points n
  in loop p = [0, 0, -1]
     for _i < steps do
       map2 (\q d -> q + 0.02 * f64.max (-5) (f64.min 5 d)) p (vjp (loglikelihood xs ys) p 1)

-- The likelihood, and the logarithms of length, height and noise:

entry main (n: i64) (steps: i64) : (f64, [3]f64) =
  let (xs, ys) = points n
  let p = fit n steps
  in (loglikelihood xs ys p, p)

-- > main 24i64 60i64

-- Mean and deviation of the prediction:

def predict (n: i64) (p: [3]f64) (x: f64) : (f64, f64) =
  let (xs, ys) = points n
  let l = cholesky (covariance xs p)
  let k = map (kernel p x) xs
  let v = forward l k
  let mean = f64.sum (map2 (*) k (backward l (forward l ys)))
  in (mean, f64.sqrt (f64.max 0 (kernel p x x - f64.sum (map (** 2) v))))

def curves (n: i64) (steps: i64) (m: i64) : ([m]f64, [m]f64, [m]f64, [m]f64) =
  let p = fit n steps
  let xs = tabulate m (\i -> -0.5 + 7.5 * f64.i64 i / f64.i64 m)
  let (means, deviations) = unzip (map (predict n p) xs)
  in (xs, means, map2 (\a s -> a - 2 * s) means deviations, map2 (\a s -> a + 2 * s) means deviations)

-- > :gnuplot {curves=curves 24i64 60i64 200i64, data=points 24i64};
-- set key inside top left
-- plot curves using 1:3:4 with filledcurves lc rgb '#bbddff' title 'two deviations', curves using 1:2 with lines lw 2 title 'mean', data pt 7 lc rgb '#222222' title 'data'
