-- The Hessian of a long chain of valleys (Rosenbrock), with reverse mode outside: the derivatives of
-- each component of the gradient.
entry primal [n] (x: [n]f32) : f32 =
  f32.sum (tabulate (n - 1) (\i ->
                               let u = x[i + 1] - x[i] * x[i]
                               let v = 1 - x[i]
                               in 10 * u * u + v * v))

def gradient_by_rows [n] (x: [n]f32) : [n]f32 = vjp primal x 1f32

entry gradient [n] (x: [n]f32) : [n][n]f32 =
  map (\i -> vjp gradient_by_rows x (map (\j -> f32.bool (i == j)) (iota n))) (iota n)
