-- Each step of a loop reads all of a matrix, and one row of it in all places: what is added to that row
-- of the adjoint is summed apart, without zeros for the whole matrix and without a sum over all of it.
-- structure soac,gpu: replicate 5
-- depth soac,gpu,gpu_mem: copies 0

-- ==
-- entry: shortest
-- input { [[0.0, 2.0, 7.0], [1.0, 0.0, 3.0], [4.0, 6.0, 0.0]] }
-- output { [[1.2710807819398169, 0.7081965261705411, 0.12622262256226444], [1.829755254524739, 4.63852893396121, 0.1992863590232097], [0.22009097270921135, 9.631952140985767e-2, 99.22684243933423]] }
entry shortest [n] (w: [n][n]f64) : [n][n]f64 =
  vjp (\d ->
         f64.sum (flatten (loop d for k < n do
                             tabulate_2d n n (\i j -> f64.log1p (d[i, j] * (d[i, k] + d[k, j]))))))
      w
      1

-- ==
-- entry: eliminated
-- input { [[4.0, 2.0, 1.0], [1.0, 5.0, 3.0], [2.0, 1.0, 6.0]] }
-- output { [[0.2727272727272727, 0.0, -9.090909090909091e-2], [-0.1111111111111111, 0.2222222222222222, 0.0], [1.0101010101010097e-2, -0.1111111111111111, 0.18181818181818182]] }
entry eliminated [n] (w: [n][n]f64) : [n][n]f64 =
  vjp (\a ->
         let (_, s) =
           loop (a, s) = (a, 0) for k < n do
             let column = map (\i -> if i > k then a[i, k] / a[k, k] else 0) (iota n)
             in (map2 (\c row -> map2 (\v r -> v - c * r) row a[k]) column a, s + f64.log a[k, k])
         in s)
      w
      1

-- The row is computed, and may be the same in several steps.
-- ==
-- entry: chosen
-- input { [2i64, 0i64, 2i64] [[4.0, 2.0, 1.0], [1.0, 5.0, 3.0], [2.0, 1.0, 6.0]] }
-- output { [[7.060258037076851, -0.2052195330358466, 0.6796760356172598], [0.3290715223469388, 0.6205257578798538, 3.4374431536024014e-2], [-12.97554402912371, 8.904478258628977, -4.407014611703543]] }
-- input { [2i64, 3i64] [[4.0, 2.0, 1.0], [1.0, 5.0, 3.0], [2.0, 1.0, 6.0]] }
-- error: out of bounds
entry chosen [n][m] (ks: [m]i64) (w: [n][n]f64) : [n][n]f64 =
  vjp (\a -> f64.sum (flatten (loop a for k in ks do map (\row -> map2 (\v r -> v * f64.sin r) row a[k]) a)))
      w
      1
