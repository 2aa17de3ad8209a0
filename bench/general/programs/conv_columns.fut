-- A layer of 3x3 convolutions as a product of matrices: images with channels last are padded, the
-- neighbourhoods of all pixels become rows.
def pad [h][w][c] (x: [h][w][c]f32) : [h + 2][w + 2][c]f32 =
  let zero m = replicate m (replicate c 0f32)
  let rows = map (\row -> zero 1 ++ row ++ zero 1 :> [w + 2][c]f32) x
  in [zero (w + 2)] ++ rows ++ [zero (w + 2)] :> [h + 2][w + 2][c]f32

def neighbourhoods [h][w][c] (x: [h][w][c]f32) : [h * w][3 * 3 * c]f32 =
  let p = pad x
  in flatten (tabulate_2d h w (\i j -> flatten_3d p[i:i + 3, j:j + 3] :> [3 * 3 * c]f32))

def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

entry primal [b][c][o][h][w]
             (x: [b][h][w][c]f32) (k: [3][3][c][o]f32) (bias: [o]f32) : f32 =
  let weights = flatten_3d k
  let layer image =
    map (\row -> map2 (\v b -> f32.max 0 (v + b)) row bias) (matmul (neighbourhoods image) weights)
  let ys = flatten_3d (map layer x)
  in f32.sum (map (\y -> y * y) ys) / f32.i64 (b * o * h * w)

entry gradient [b][c][o][h][w]
               (x: [b][h][w][c]f32) (k: [3][3][c][o]f32) (bias: [o]f32)
             : ([b][h][w][c]f32, [3][3][c][o]f32, [o]f32) =
  vjp (\(x, k, bias) -> primal x k bias) (x, k, bias) 1
