-- What the threads of a kernel add to elements at an offset: computed element by element, without
-- atomic updates, where the index is a counter plus something that stays.
-- ==
-- entry: images
-- input { [[[[1.0, -2.0, 0.5, 0.25], [0.0, 1.5, -1.0, 2.0], [0.75, -0.5, 1.0, 1.0]], [[0.5, 
--   0.5, -1.5, 1.0], [2.0, -0.25, 0.0, 1.0], [1.0, 1.0, -1.0, 0.5]]], [[[0.1, 0.2, 0.3, 0.4], 
--   [-0.5, 0.6, -0.7, 0.8], [0.9, 1.0, -1.1, 1.2]], [[1.3, -1.4, 1.5, 1.6], [0.5, 0.3, -0.2, 0.1], 
--   [0.7, 0.6, 0.5, 0.4]]]] }
-- output {
--   [[[[1.375f64, 0.125f64, 1.375f64, -0.25f64],
--      [1.375f64, 3.625f64, 1.125f64, 1.375f64],
--      [0.875f64, 0.375f64, 2.625f64, 1.0f64]],
--     [[-0.25f64, 0.375f64, 0.875f64, 0.75f64],
--      [0.25f64, 0.875f64, 0.375f64, 1.5f64],
--      [1.25f64, 1.25f64, 0.0f64, -0.125f64]]],
--    [[[1.0f64, 2.125f64, 0.25f64, 0.5f64],
--      [-0.25f64, 2.375f64, 2.375f64, 1.375f64],
--      [1.0f64, 0.625f64, 0.375f64, 2.125f64]],
--     [[0.75f64, -1.0f64, 1.75f64, 1.5f64],
--      [1.375f64, 0.375f64, 0.875f64, -0.5f64],
--      [1.375f64, 0.875f64, 1.25f64, -0.25f64]]]]
--   [[[[-2.1f64, 3.6500000000000004f64, 0.6500000000000004f64],
--      [4.8f64, 3.0f64, 5.8999999999999995f64],
--      [-2.2f64, 9.05f64, 0.6000000000000001f64]],
--     [[1.2999999999999998f64, 6.5f64, 5.0000000000000044e-2f64],
--      [0.25f64, 10.1f64, 5.15f64],
--      [3.1f64, 2.5500000000000003f64, 2.0f64]]],
--    [[[-0.6000000000000001f64, 3.55f64, 3.25f64],
--      [-0.6499999999999999f64, 9.75f64, 4.999999999999982e-2f64],
--      [2.35f64, 3.0f64, 4.9f64]],
--     [[2.95f64, 4.85f64, 3.1500000000000004f64],
--      [7.85f64, 2.6500000000000004f64, 4.9f64],
--      [2.85f64, 4.4f64, 0.95f64]]]]
-- }

-- ==
-- entry: shifted
-- input { 1i64 [[1.0, -2.0, 0.5, 0.25], [0.0, 1.5, -1.0, 2.0], [0.75, -0.5, 1.0, 1.0]] }
-- output {
--   [[-4.5f64, -2.0f64, 7.0f64, 3.0f64],
--    [-5.0f64, 1.0f64, 4.0f64, 5.5f64],
--    [-3.0f64, 1.0f64, 6.0f64, 1.0f64]]
-- }

-- ==
-- entry: shifted
-- input { 0i64 [[1.0, -2.0, 0.5, 0.25], [0.0, 1.5, -1.0, 2.0], [0.75, -0.5, 1.0, 1.0]] }
-- output {
--   [[-9.0f64, 3.0f64, 2.0f64, 4.5f64],
--    [-2.0f64, 0.0f64, -2.0f64, 20.0f64],
--    [-2.5f64, 0.0f64, 9.0f64, 15.0f64]]
-- }

-- ==
-- entry: shifted
-- input { 5i64 [[1.0, -2.0, 0.5, 0.25], [0.0, 1.5, -1.0, 2.0], [0.75, -0.5, 1.0, 1.0]] }
-- output {
--   [[-3.0f64, -1.0f64, 1.0f64, 3.0f64],
--    [-2.0f64, 0.0f64, 2.0f64, 4.0f64],
--    [-1.0f64, 1.0f64, 3.0f64, 5.0f64]]
-- }

-- ==
-- entry: others
-- input { [1.0, -2.0, 0.5, 0.25, 3.0] }
-- output {
--   [16.25f64, 1.5f64, -3.0f64, 3.0f64, 7.0f64]
-- }

-- ==
-- entry: shared
-- input { [0.5, -1.0, 2.0, 0.25] [[1.0, -2.0, 0.5, 0.25], [0.0, 1.5, -1.0, 2.0], [0.75, -0.5, 
--   1.0, 1.0]] }
-- output {
--   [1.5625f64, 8.875f64, 5.25f64, 4.125f64]
-- }

-- Images padded by zeros, several channels, a rectifier.
def at2 [h][w] (im: [h][w]f64) (i: i64) (j: i64) : f64 =
  if i >= 0 && i < h && j >= 0 && j < w then im[i, j] else 0

def layer [c][o][h][w] (x: [c][h][w]f64) (k: [o][c][3][3]f64) : [o][h][w]f64 =
  map (\ks -> tabulate_2d h w (\i j ->
         f64.max 0 (f64.sum (map2 (\ker im ->
                      f64.sum (map (\a -> f64.sum (map (\b -> ker[a, b] * at2 im (i + a - 1) (j + b - 1))
                                                       (iota 3)))
                                   (iota 3)))
                                  ks x))))
      k

entry images [b][c][h][w] (xs: [b][c][h][w]f64) =
  let k = tabulate_2d 2 c (\o c -> tabulate_2d 3 3 (\a b -> f64.i64 ((o * 7 + c * 5 + a * 9 + b * 3) % 11) / 8 - 0.5))
  let f (xs, k) = f64.sum (map (\x -> f64.sum (flatten_3d (layer x k))) xs)
  in vjp f (xs, k) 1

-- A distance that is only known when the program runs, across rows and columns.
entry shifted [n][m] (d: i64) (xss: [n][m]f64) =
  vjp (\xss -> map (\i -> map (\j -> let a = if i + d < n then xss[i + d, j] else 0
                                     let b = if j >= d then xss[i, j - d] else 1
                                     in a * b + xss[i, j]) (iota m)) (iota n))
      xss (tabulate_2d n m (\i j -> f64.i64 (i + 2 * j) - 3))

-- Turned round, doubled, both indices by one counter, around the end: left as they are.
entry others [n] (xs: [n]f64) =
  vjp (\xs -> map (\i -> xs[n - 1 - i] * xs[i / 2 * 2] + xs[(i + 1) % n]) (iota n))
      xs (map f64.i64 (iota n))

-- Sums over rows of what is added to neighbours in all of them.
entry shared [n][m] (w: [m]f64) (xss: [n][m]f64) =
  vjp (\w -> map (\xs -> map (\j -> if j + 1 < m then w[j] * xs[j] - w[j + 1] * xs[j + 1] else w[j])
                             (iota m)) xss)
      w xss
