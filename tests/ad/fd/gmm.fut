-- Log-likelihood of a small mixture of Gaussians.
-- ==
-- input { } output { [true, true] }
import "lib/fd"

def data : [5]f64 = [0.1, 1.5, -0.4, 2.2, -1.2]
def logsumexp [n] (xs: [n]f64) =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))
def f [n] (x: [n]f64) =
  let (alpha, mu, ls) = (x[0:3], sized 3 x[3:6], sized 3 x[6:9])
  let term d a m s = a - s - 0.5 * ((d - m) / f64.exp s) ** 2
  in f64.sum (map (\d -> logsumexp (map3 (term d) alpha mu ls)) data) - 5 * logsumexp alpha

entry main =
  [check_scalar f [0.1, 0.4, -0.2, -1, 0.3, 1.7, 0.1, -0.2, 0.3],
   check_hessian f [0.1, 0.4, -0.2, -1, 0.3, 1.7, 0.1, -0.2, 0.3]]
