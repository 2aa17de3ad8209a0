-- Windows at every second place: each element is computed from the windows that have it, and there is no atomic update.
-- structure soac,gpu: loop.atomic 0, upd_acc 0
-- ==
-- input { [[1f64, 2f64, 3f64, 4f64, 5f64], [6f64, 7f64, 8f64, 9f64, 10f64], [11f64, 12f64, 13f64, 14f64, 15f64]] [1f64, -2f64, 3f64] [3f64, -1f64] }
-- output { [[-6f64, 8f64, 2f64, -3f64, 0f64], [-6f64, 8f64, 2f64, -3f64, 0f64], [-6f64, 8f64, 2f64, -3f64, 0f64]] }
entry main [n][m] (x: [n][m]f64) (k: [3]f64) (w: [m / 2]f64) : [n][m]f64 =
  let at x i z = if z < 0 || z >= m then 0 else x[i, z]
  in vjp (\x -> f64.sum (map (\i -> f64.sum (map2 (\j w -> w * (k[0] * at x i (2 * j - 1) + k[1] * at x i (2 * j)
                                                              + k[2] * at x i (2 * j + 1)))
                                                  (iota (m / 2)) w))
                             (iota n)))
         x 1
