-- The log-likelihood of a mixture of normal distributions with diagonal covariances.
def logsumexp [n] (x: [n]f64) : f64 =
  let m = f64.maximum x
  in m + f64.log (f64.sum (map (\v -> f64.exp (v - m)) x))

entry primal [n] [k] [d] (x: [n][d]f64) (alpha: [k]f64) (mu: [k][d]f64) (logs: [k][d]f64) : f64 =
  let norm = logsumexp alpha
  let density p a m l =
    a - norm - f64.sum l - 0.5 * f64.sum (map3 (\x m l -> ((x - m) / f64.exp l) ** 2) p m l)
  in f64.sum (map (\p -> logsumexp (map3 (density p) alpha mu logs)) x) / f64.i64 n
     - 0.5 * f64.i64 d * f64.log (2 * f64.pi)

entry gradient [n] [k] [d] (x: [n][d]f64) (alpha: [k]f64) (mu: [k][d]f64) (logs: [k][d]f64) =
  vjp (\(alpha, mu, logs) -> primal x alpha mu logs) (alpha, mu, logs) 1
