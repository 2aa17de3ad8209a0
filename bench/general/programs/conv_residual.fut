-- Two 3x3 convolutions with a connection around them: a convolution is the sum of nine shifted
-- pictures, by helpers that take functions.
def sum_of [n][h][w] (pictures: [n][h][w]f32) : [h][w]f32 =
  reduce (map2 (map2 (+))) (replicate h (replicate w 0)) pictures

def zip_pictures 'a 'b 'c [h][w] (f: a -> b -> c) (x: [h][w]a) (y: [h][w]b) : [h][w]c =
  map2 (map2 f) x y

def shifted [h][w] (di: i64) (dj: i64) (x: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\i j ->
                     let (y, z) = (i + di, j + dj)
                     in if y >= 0 && y < h && z >= 0 && z < w then x[y, z] else 0)

def one_to_one [h][w] (k: [3][3]f32) (x: [h][w]f32) : [h][w]f32 =
  sum_of (map (\q -> let (di, dj) = (q / 3, q % 3) in map (map (* k[di, dj])) (shifted (di - 1) (dj - 1) x))
              (iota 9))

def conv [c][o][h][w] (k: [o][c][3][3]f32) (x: [c][h][w]f32) : [o][h][w]f32 =
  map (\ks -> sum_of (map2 one_to_one ks x)) k

def relu (x: f32) = if x > 0 then x else 0

entry primal [b][c][h][w] (x: [b][c][h][w]f32) (k1: [c][c][3][3]f32) (k2: [c][c][3][3]f32) : f32 =
  let block image =
    let inner = map (map (map relu)) (conv k1 image)
    in map2 (zip_pictures (\u v -> relu (u + v))) (conv k2 inner) image
  let ys = map block x
  in f32.sum (map (\y -> y * y) (flatten (flatten_3d ys))) / f32.i64 (b * c * h * w)

entry gradient [b][c][h][w]
               (x: [b][c][h][w]f32) (k1: [c][c][3][3]f32) (k2: [c][c][3][3]f32)
             : ([b][c][h][w]f32, [c][c][3][3]f32, [c][c][3][3]f32) =
  vjp (\(x, k1, k2) -> primal x k1 k2) (x, k1, k2) 1
