-- A product with a triangular matrix: the adjoint of the vector is one with the transpose.
-- On devices it has no indivisible updates.
-- structure soac: upd_acc 1
-- depth soac: upd_acc 3
-- structure soac,gpu: loop.atomic 0
-- ==
-- input { [[1f64,2f64],[3f64,4f64]] [1f64,2f64] [10f64,100f64] } output { [310.0f64, 400.0f64] }
entry main [n] (l: [n][n]f64) (x: [n]f64) (g: [n]f64) : [n]f64 =
  vjp (\x -> tabulate n (\i -> f64.sum (tabulate n (\j -> if j <= i then l[i, j] * x[j] else 0)))) x g
