-- Sums of rows and what scalars become of them: one kernel, in place too.
-- structure soac,gpu: loop.kernel 4, loop.blocks 6
-- structure soac,gpu,gpu_mem: copies 1
-- ==
-- entry: main
-- input { [[4f64, 1f64], [1f64, 5f64]] } output { [[4f64, 1f64], [0.25f64, 4.75f64]] }
-- input { [[2f64, 1f64, 4f64], [4f64, 3f64, 1f64], [6f64, 8f64, 9f64]] }
-- output { [[2f64, 1f64, 4f64], [2f64, 1f64, -7f64], [3f64, 5f64, 32f64]] }
entry main [n] (a: [n][n]f64) : [n][n]f64 =
  loop m = copy a for k < n do
    let m[k, k:] = map (\j -> m[k, k + j] - f64.sum (map2 (*) m[k, :k] m[:k, k + j])) (iota (n - k))
    let below =
      map (\i -> (m[k + 1 + i, k] - f64.sum (map2 (*) m[k + 1 + i, :k] m[:k, k])) / m[k, k])
          (iota (n - k - 1))
    in m with [k + 1:, k] = below
