-- A chain of equations y0' = x0, yi' = xi y(i-1), from 0 to 2 by the classical Runge-Kutta method.
def rhs [n] (x: [n]f64) (y: [n]f64) : [n]f64 =
  tabulate n (\i -> if i == 0 then x[i] else x[i] * y[i - 1])

def step [n] (x: [n]f64) (h: f64) (y: [n]f64) : [n]f64 =
  let along c = map2 (\a k -> a + c * h * k) y
  let k1 = rhs x y
  let k2 = rhs x (along 0.5 k1)
  let k3 = rhs x (along 0.5 k2)
  let k4 = rhs x (along 1 k3)
  in map5 (\a a1 a2 a3 a4 -> a + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)) y k1 k2 k3 k4

entry primal [n] (x: [n]f64) (s: i64) : [n]f64 =
  loop y = replicate n 0 for _i < s do step x (2 / f64.i64 s) y

-- By the last element.
entry gradient [n] (x: [n]f64) (s: i64) : [n]f64 = vjp (\x' -> last (primal x' s)) x 1
