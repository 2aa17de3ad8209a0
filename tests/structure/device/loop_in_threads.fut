-- A loop around kernels whose threads need nothing of each other is done by the threads, in strips, and
-- one in which they read what others have written is not.
-- structure soac,gpu: loop.kernel 2, loop 5
-- ==
-- entry: recurrence
-- input { [[1f64, 2f64], [3f64, 4f64], [5f64, 6f64]] }
-- output { [35f64, 78f64] [[1f64, 2f64], [6f64, 12f64], [35f64, 78f64]] }
entry recurrence [t][d] (a: [t][d]f64) : ([d]f64, [t][d]f64) =
  loop (h, hs) = (replicate d 1, replicate t (replicate d 0)) for i < t do
    let h' = map2 (\a h -> a * h + a - f64.bool (i == 0) * a) a[i] h
    in (h', hs with [i] = h')

-- ==
-- entry: neighbours
-- input { 2i64 [1f64, 2f64, 4f64] } output { [1f64, 4f64, 9f64] }
entry neighbours [n] (k: i64) (xs: [n]f64) : [n]f64 =
  loop xs for _i < k do map (\i -> xs[i] + (if i > 0 then xs[i - 1] else 0)) (iota n)
