-- The logarithms of the determinants of many small matrices m m^T + n with the number of the matrix
-- as the last index: one loop over columns for all of them, maps over the batch inside.
entry primal [n][b] (ms: [n][n][b]f64) : f64 =
  let a =
    tabulate_2d n n (\i j ->
                       tabulate b (\q ->
                                     f64.sum (map (\k -> ms[i, k, q] * ms[j, k, q]) (iota n))
                                     + f64.bool (i == j) * f64.i64 n))
  let (_, det) =
    loop (a, det) = (a, replicate b 0) for j < n do
      let pivot = a[j, j]
      let a =
        tabulate_2d n n (\i k ->
                           if i > j && k > j
                           then map4 (\v u w p -> v - u * w / p) a[i, k] a[i, j] a[k, j] pivot
                           else a[i, k])
      in (a, map2 (\d p -> d + f64.log p) det pivot)
  in f64.sum det / f64.i64 b

entry gradient [n][b] (ms: [n][n][b]f64) : [n][n][b]f64 = vjp primal ms 1
