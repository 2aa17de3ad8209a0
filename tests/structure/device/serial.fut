-- A triangular system: one block does all steps, or, where they are long, kernels do each of them.
-- structure soac,gpu: loop.blocks 4, loop.threads 5, loop.kernel 1
-- ==
-- input { [[2f64, 0f64], [1f64, 4f64]] [4f64, 10f64] } output { [2f64, 2f64] }
entry main [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = replicate n 0 for i < n do
    y with [i] = (b[i] - f64.sum (map2 (*) l[i, :i] y[:i])) / l[i, i]
