-- Prices of options on a tree, and their sensitivities.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def price (p: [5]f64) =
  let (s, k, r, v, t) = (p[0], p[1], p[2], p[3], p[4])
  let n = 6
  let dt = t / f64.i64 n
  let u = f64.exp (v * f64.sqrt dt)
  let q = (f64.exp (r * dt) - 1 / u) / (u - 1 / u)
  let leaves = map (\i -> f64.max 0 (s * u ** f64.i64 (2 * i - n) - k)) (iota (n + 1))
  let tree = loop a = leaves for j < n do
    map (\i -> if i < n - j then f64.exp (-r * dt) * (q * a[i + 1] + (1 - q) * a[i]) else 0) (iota (n + 1))
  in tree[0]

entry main =
  [check_scalar price [100, 95, 0.05, 0.2, 1.1],
   (vjp price [100, 95, 0.05, 0.2, 1.1] 1)[0] > 0.5]
