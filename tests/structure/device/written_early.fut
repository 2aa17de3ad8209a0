-- The elements that an iteration logs are written by the thread that computes what depends on them: one thread and one
-- elementwise kernel in each iteration, and the host reads nothing.  (Short iterations are done by a block.)
-- structure soac,gpu: loop.kernel 2, index 9, scratch 4
-- ==
-- input { [1.0, 2.0, 3.0, 4.0] } output { [1.953125e-2f64, 0.59375f64, 1.25f64, 2.0f64] [3.90625e-2f64, 1.1875f64, 2.5f64, 4.0f64] }
entry main [n] (xs: [n]f64) : ([n]f64, [n]f64) =
  loop (xs, log) = (copy xs, replicate n 0) for j < n do
    let i = n - 1 - j
    let x = xs[i]
    let y = x / 2
    let xs = xs with [i] = y
    let xs = xs with [:i] = map (\z -> z - y / 4) xs[:i]
    in (xs, log with [i] = x)
