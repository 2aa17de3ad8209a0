-- Runge-Kutta of order four through a chain.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def rhs [n] (x: [n]f64) (y: [n]f64) = map (\i -> if i == 0 then x[0] else x[i] * y[i - 1]) (iota n)
def primal [n] (s: i64) (x: [n]f64) =
  let h = 2 / f64.i64 s
  let axpy k d y = map2 (\d y -> y + k * d) d y
  in loop y = replicate n 0 for _i < s do
    let k1 = rhs x y
    let k2 = rhs x (axpy (h / 2) k1 y)
    let k3 = rhs x (axpy (h / 2) k2 y)
    let k4 = rhs x (axpy h k3 y)
    in map3 (\y a b -> y + h / 6 * (a + b)) y (map2 (\a b -> a + 2 * b) k1 k2) (map2 (\a b -> 2 * a + b) k3 k4)

entry main =
  [check (primal 4) [0.3, 0.8, 0.6],
   close 1e-9 (primal 1 [0.5, 0.5])[1] 0.5,
   and (map2 (close 1e-9) (vjp (\x -> last (primal 3 x)) [0.5, 0.5, 0.5] 1) (let g = 2 ** 3 * 0.25 / 6 in [g, g, g]))]
