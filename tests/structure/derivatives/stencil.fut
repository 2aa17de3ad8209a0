-- Sums of neighbours in two dimensions are computed element by element, whatever the edges are.
-- structure soac: withacc 5
-- structure soac,gather_sums: withacc 0, upd_acc 0
-- ==
-- entry: convolved
-- input { [[1f64,2f64],[3f64,4f64]] [[1f64,2f64,3f64],[4f64,5f64,6f64],[7f64,8f64,9f64]] [[1f64,10f64],[100f64,1000f64]] }
-- output { [[1f64, 12f64, 20f64], [103f64, 1234f64, 2040f64], [300f64, 3400f64, 4000f64]] }
-- input { [[1f64,2f64],[3f64,4f64]] [[1f64,2f64]] empty([0][1]f64) } output { [[0f64, 0f64]] }
entry convolved [n][m] (k: [2][2]f64) (x: [n][m]f64) (g: [n - 1][m - 1]f64) : [n][m]f64 =
  vjp (\x -> tabulate_2d (n - 1) (m - 1) (\i j ->
         f64.sum (map (\a -> f64.sum (map (\b -> k[a, b] * x[i + a, j + b]) (iota 2))) (iota 2)))) x g

-- ==
-- entry: clamped zero inside periodic
-- input { [[1f64,2f64,3f64],[4f64,5f64,6f64]] [[1f64,10f64,100f64],[1000f64,2000f64,3000f64]] }
-- input { [[1f64]] [[2f64]] }
-- input { empty([0][3]f64) empty([0][3]f64) }
entry clamped [n][m] (x: [n][m]f64) (g: [n][m]f64) : [n][m]f64 =
  let at k i = i64.max 0 (i64.min (k - 1) i)
  in vjp (\x -> tabulate_2d n m (\i j -> x[at n (i - 1), j] + 2 * x[at n (i + 1), j] + 3 * x[i, at m (j - 1)])) x g

entry zero [n][m] (x: [n][m]f64) (g: [n][m]f64) : [n][m]f64 =
  vjp (\x -> tabulate_2d n m (\i j -> x[i, j] + (if i > 0 then x[i - 1, j] else 0)
                                      + (if j < m - 1 then x[i, j + 1] else 0))) x g

entry inside [n][m] (x: [n][m]f64) (g: [n][m]f64) : [n][m]f64 =
  vjp (\x -> tabulate_2d n m (\i j ->
         if i > 0 && i < n - 1 && j > 0 && j < m - 1
         then x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] else x[i, j])) x g

entry periodic [n][m] (x: [n][m]f64) (g: [n][m]f64) : [n][m]f64 =
  vjp (\x -> tabulate_2d n m (\i j -> x[(i + 1) % n, j] + x[(i + n - 1) % n, j] + x[i, (j - 1) % m])) x g
