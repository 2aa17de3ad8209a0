-- The full Hessian of a penalised logistic regression: jvp of vjp, mapped over a basis.
def softplus (x: f64) : f64 = f64.max x 0 + f64.log1p (f64.exp (-(f64.abs x)))

entry primal [m][n] (a: [m][n]f64) (x: [n]f64) : f64 =
  f64.sum (map (\row -> softplus (f64.sum (map2 (*) row x))) a) / f64.i64 m
  + 0.1 * f64.sum (map (\v -> v * v * v * v) x)

entry gradient [m][n] (a: [m][n]f64) (x: [n]f64) : [n][n]f64 =
  let basis = tabulate_2d n n (\i j -> f64.bool (i == j))
  in map (\e -> jvp (\x -> vjp (primal a) x 1) x e) basis
