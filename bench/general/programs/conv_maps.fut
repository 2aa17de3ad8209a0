-- A layer of 3x3 convolutions over padded images (batch, channel, row, column), a bias and a
-- rectifier; the mean of squares.  Maps of sums, as the definition has it.
def pixel [h][w] (image: [h][w]f32) (i: i64) (j: i64) : f32 =
  if i >= 0 && i < h && j >= 0 && j < w then image[i, j] else 0

def window [h][w] (kernel: [3][3]f32) (image: [h][w]f32) (i: i64) (j: i64) : f32 =
  f32.sum (map (\di -> f32.sum (map (\dj -> kernel[di, dj] * pixel image (i + di - 1) (j + dj - 1))
                                    (iota 3)))
               (iota 3))

def layer [b][c][o][h][w]
          (x: [b][c][h][w]f32) (k: [o][c][3][3]f32) (bias: [o]f32) : [b][o][h][w]f32 =
  map (\images ->
         map2 (\kernels b ->
                 tabulate_2d h w (\i j ->
                                    let s = f32.sum (map2 (\ker im -> window ker im i j) kernels images)
                                    in f32.max 0 (s + b)))
              k bias)
      x

entry primal [b][c][o][h][w]
             (x: [b][c][h][w]f32) (k: [o][c][3][3]f32) (bias: [o]f32) : f32 =
  let ys = flatten (flatten_3d (layer x k bias))
  in f32.sum (map (\y -> y * y) ys) / f32.i64 (b * o * h * w)

entry gradient [b][c][o][h][w]
               (x: [b][c][h][w]f32) (k: [o][c][3][3]f32) (bias: [o]f32)
             : ([b][c][h][w]f32, [o][c][3][3]f32, [o]f32) =
  vjp (\(x, k, bias) -> primal x k bias) (x, k, bias) 1
