-- The logarithm of the posterior of a mixture of Gaussians whose inverse covariances are given by
-- triangular factors: the logarithms of the diagonal, then the columns below it.
def logsumexp [n] (x: [n]f64) =
  let top = f64.maximum x
  in top + f64.log (f64.sum (map (\a -> f64.exp (a - top)) x))

def square (x: f64) = x * x

-- The factor as a matrix.
def unpack [d][t] (q: [d]f64) (l: [t]f64) : [d][d]f64 =
  tabulate_2d d d (\i j ->
                     if i == j
                     then f64.exp q[i]
                     else if i > j then l[j * (2 * d - j - 1) / 2 + i - j - 1] else 0)

-- The square of the length of Q v.
def length2 [d] (factor: [d][d]f64) (v: [d]f64) : f64 =
  f64.sum (map (\row -> square (f64.sum (map2 (*) row v))) factor)

-- The logarithm of the multivariate gamma function.
def log_gamma (a: f64) (p: i64) =
  0.25 * f64.i64 (p * (p - 1)) * f64.log f64.pi
  + f64.sum (tabulate p (\j -> f64.lgamma (a - 0.5 * f64.i64 j)))

entry primal [k][d][t][n]
             (gamma: f64) (m: i64)
             (alpha: [k]f64) (mu: [k][d]f64) (q: [k][d]f64) (l: [k][t]f64)
             (x: [n][d]f64) : f64 =
  let (rk, rd, rn, rm) = (f64.i64 k, f64.i64 d, f64.i64 n, f64.i64 m)
  let weight = map2 (\a qk -> a + f64.sum qk) alpha q
  let factors = map2 unpack q l
  let point xi =
    logsumexp (map3 (\w muk qk -> w - 0.5 * length2 qk (map2 (-) xi muk)) weight mu factors)
  let prior qk lk =
    0.5 * square gamma * (f64.sum (map (square <-< f64.exp) qk) + f64.sum (map square lk))
    - rm * f64.sum qk
  let wishart = rd + rm + 1
  in -0.5 * rn * rd * f64.log (2 * f64.pi)
     + f64.sum (map point x)
     - rn * logsumexp alpha
     + rk * (wishart * rd * (f64.log gamma - 0.5 * f64.log 2) - log_gamma (0.5 * wishart) d)
     - f64.sum (map2 prior q l)

entry gradient [k][d][t][n]
               (gamma: f64) (m: i64)
               (alpha: [k]f64) (mu: [k][d]f64) (q: [k][d]f64) (l: [k][t]f64)
               (x: [n][d]f64) : ([k]f64, [k][d]f64, [k][d]f64, [k][t]f64) =
  vjp (\(a, u, r, s) -> primal gamma m a u r s x) (alpha, mu, q, l) 1
