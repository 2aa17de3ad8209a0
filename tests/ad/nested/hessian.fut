-- A Hessian by forward over reverse.
def f (x: [2]f64) : f64 = x[0] * x[0] * x[1] + f64.exp x[1]
-- ==
-- input { [1.0, 0.0] } output { [[0.0, 2.0], [2.0, 1.0]] }
entry main (x: [2]f64) = map (\d -> jvp (\y -> vjp f y 1) x d) [[1, 0], [0, 1]]
