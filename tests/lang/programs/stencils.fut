-- Stencils: heat in one dimension, an image filter with borders, in-place Gauss-Seidel.
-- ==
-- entry: heat
-- input { 5i32 [-1.79f64, -1.999f64, -1.395f64, -1.594f64, -0.546f64, -1.898f64, 1.497f64] }
-- output { [-1.79f64, -1.6766308593750001f64, -1.5106630859375f64, -1.226228515625f64, -0.69138671875f64, 0.23651171875000007f64, 1.497f64] }

-- ==
-- entry: filter2d
-- input { [[0i32, 1i32, 0i32], [1i32, -4i32, 1i32], [0i32, 1i32, 0i32]] [[6i32, 2i32, 4i32, 5i32, 5i32], [7i32, 1i32, 1i32, 7i32, 7i32], [7i32, 7i32, 4i32, 1i32, 2i32], [1i32, 5i32, 4i32, 7i32, 2i32]] }
-- output { [[-15i32, 3i32, -8i32, -4i32, -8i32], [-14i32, 13i32, 12i32, -14i32, -14i32], [-13i32, -11i32, -3i32, 16i32, 2i32], [8i32, -8i32, 0i32, -21i32, 1i32]] }

-- ==
-- entry: seidel
-- input { 3i32 [-1.79f64, -1.999f64, -1.395f64, -1.594f64, -0.546f64, -1.898f64, 1.497f64] }
-- output { [-1.79f64, -1.5853125000000001f64, -1.508765625f64, -1.1107890625f64, -0.35934765625000004f64, 0.5688261718750001f64, 1.497f64] }

entry heat [n] (steps: i32) (u: [n]f64) : [n]f64 =
  let step u = tabulate n (\i -> if i == 0 || i == n - 1 then u[i]
                                 else u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]))
  in iterate steps step u

entry filter2d [h][w] (kernel: [3][3]i32) (image: [h][w]i32) : [h][w]i32 =
  let pixel i j = if i >= 0 && i < h && j >= 0 && j < w then image[i, j] else 0
  let at i j = i32.sum (flatten (tabulate_2d 3 3 (\a b -> kernel[a, b] * pixel (i + a - 1) (j + b - 1))))
  in tabulate_2d h w at

entry seidel [n] (sweeps: i32) (u: *[n]f64) : [n]f64 =
  loop u for _s < sweeps do
    loop u for i in 1..<n - 1 do
      u with [i] = (u[i - 1] + u[i + 1]) / 2
