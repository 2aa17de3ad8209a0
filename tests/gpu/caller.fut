-- For caller.c: scalars in and out, results of unknown size, failures, a few kernels in a row.
entry loss [n] (s: f64) (w: [n]f64) : (f64, [n]f64) =
  let l = s * f64.sum (map (\x -> x * x) w) in (l / f64.i64 n, map (\x -> 2 * s * x) w)
entry some [n] (w: [n]f64) : []f64 = filter (> 1) w
entry at [n] (is: [n]i64) (w: [n]f64) : [n]f64 = map (\i -> w[i]) is
entry counts [n] (is: [n]i64) : [3]i64 = reduce_by_index (replicate 3 0) (+) 0 is (map (const 1) is)
