-- Both sweeps of a product over three dimensions are in the same rows: what is added for all rows are sums of products
-- of what these rows give, and no accumulators (acc_pull.c).
-- structure soac: withacc 0, upd_acc 0
-- ==
-- entry: gradient
-- input { [[[1f64, 2f64], [3f64, -1f64]], [[0.5f64, 1f64], [2f64, -2f64]]] [[1f64, -1f64], [2f64, 0.5f64], [0.25f64, 1f64]] }
-- output { [[[11.125f64, 9.5f64], [29.875f64, -3.0f64]], [[5.5625f64, 4.75f64], [19.25f64, -8.0f64]]] [[37.5f64, -29.0f64], [52.5f64, -8.0f64], [-1.875f64, 17.75f64]] }

def sum n (f: i64 -> f64) : f64 = reduce (+) 0 (map f (iota n))

entry gradient [b][n][m][k] (x: [b][n][k]f64) (w: [m][k]f64) : ([b][n][k]f64, [m][k]f64) =
  let loss (x: [b][n][k]f64, w: [m][k]f64) =
    let y = tabulate_3d b n m (\h i j -> sum k (\l -> x[h, i, l] * w[j, l]))
    in f64.sum (map (\y -> f64.sum (map (\r -> f64.sum (map (\v -> v * v) r)) y)) y)
  in vjp loss (x, w) 1
