-- The price of an option and its sensitivities.
-- ==
-- input { } output { [true, true] }
import "lib/fd"

def cnd (x: f64) = 0.5 * (1 + f64.erf (x / f64.sqrt 2))
def price [n] (v: [n]f64) =
  let (s, k, t, r, sigma) = (v[0], v[1], v[2], v[3], v[4])
  let d1 = (f64.log (s / k) + (r + sigma ** 2 / 2) * t) / (sigma * f64.sqrt t)
  let d2 = d1 - sigma * f64.sqrt t
  in s * cnd d1 - k * f64.exp (-r * t) * cnd d2

entry main =
  [check_scalar price [10, 9.5, 1.2, 0.05, 0.3],
   check_hessian price [1, 0.95, 1.2, 0.05, 0.3]]
