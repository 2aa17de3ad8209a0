-- Elements of flat arrays whose places are sums of rows and columns are elements of rows: no array is flattened.
-- structure soac: reshape 0
-- ==
-- entry: rows
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[12f64, 10f64, 8f64], [18f64, 15f64, 12f64]] }
entry rows [n][m] (x: [n][m]f64) : [n][m]f64 =
  vjp (\x -> let flat = flatten x
             in f64.sum (map (\i -> f64.sum (map (\j -> flat[i * m + j] * flat[m * i + (m - 1 - j)] * f64.i64 (i + 2) / 2
                                                        + if i == 0 then 6 * flat[j] else 0)
                                                 (iota m)))
                             (iota n)))
      x 1

-- ==
-- entry: deep
-- input { [[[1f64, 2f64], [3f64, 4f64]], [[5f64, 6f64], [7f64, 8f64]]] }
-- output { [[[9f64, 40f64], [20f64, 11f64]], [[10f64, 88f64], [66f64, 12f64]]] }
entry deep [n][m][k] (x: [n][m][k]f64) : [n][m][k]f64 =
  vjp (\x -> let flat = flatten_3d x
             in f64.sum (tabulate (n * m * k)
                                  (\p -> let (i, j, l) = (p / k / m, p / k % m, p % k)
                                         let (y, z) = (j - 1, l + 1)
                                         let near = if y < 0 || z >= k then 1 else flat[(i * m + y) * k + z]
                                         in flat[i * m * k + j * k + l] * near * f64.i64 (i + j + l + 9))))
      x 1
