-- Adjoints of a convolution: by its weights sums of products over the pictures, by the pictures a sum
-- over the channels for each element.  What the rectifier lets through is an array, computed once.
-- structure sequential: withacc 4, upd_acc 18
-- structure sequential,gather_sums: withacc 2, upd_acc 2
-- ==
-- entry: compare
-- input { 2i64 3i64 2i64 5i64 6i64 } output { true }
-- input { 1i64 1i64 1i64 1i64 1i64 } output { true }
-- input { 1i64 2i64 3i64 2i64 1i64 } output { true }
-- input { 2i64 0i64 3i64 3i64 4i64 } output { true }
-- input { 2i64 2i64 0i64 3i64 4i64 } output { true }
-- input { 0i64 2i64 1i64 3i64 0i64 } output { true }
def pixel [h][w] (image: [h][w]f64) (i: i64) (j: i64) : f64 =
  if i >= 0 && i < h && j >= 0 && j < w then image[i, j] else 0

def window [h][w] (kernel: [3][3]f64) (image: [h][w]f64) (i: i64) (j: i64) : f64 =
  f64.sum (map (\di -> f64.sum (map (\dj -> kernel[di, dj] * pixel image (i + di - 1) (j + dj - 1)) (iota 3)))
               (iota 3))

def layer [b][c][o][h][w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) (bias: [o]f64) : [b][o][h][w]f64 =
  map (\images ->
         map2 (\kernels b ->
                 tabulate_2d h w (\i j -> f64.max 0 (b + f64.sum (map2 (\ker im -> window ker im i j) kernels images))))
              k bias)
      x

def loss [b][c][o][h][w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) (bias: [o]f64) : f64 =
  f64.sum (map (\ys -> f64.sum (map (\y -> f64.sum (map (\r -> f64.sum (map (\v -> v * v) r)) y)) ys)) (layer x k bias))

entry gradient [b][c][o][h][w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) (bias: [o]f64)
             : ([b][c][h][w]f64, [o][c][3][3]f64, [o]f64) =
  vjp (\(x, k, bias) -> loss x k bias) (x, k, bias) 1

-- Along some direction, forward mode gives the same.
entry compare (b: i64) (c: i64) (o: i64) (h: i64) (w: i64) : bool =
  let some s i = f64.sin (f64.i64 (i * 7 + s))
  let four s n m p q = tabulate_2d n m (\i j -> tabulate_2d p q (\k l -> some s (((i * m + j) * p + k) * q + l)))
  let (x, k, bias) = (four 1 b c h w, four 2 o c 3 3, tabulate o (some 3))
  let (dx, dk, db) = (four 4 b c h w, four 5 o c 3 3, tabulate o (some 6))
  let dot4 a b = f64.sum (map2 (*) (flatten (flatten_3d a)) (flatten (flatten_3d b)))
  let (gx, gk, gb) = gradient x k bias
  let want = jvp (\(x, k, bias) -> loss x k bias) (x, k, bias) (dx, dk, db)
  let got = dot4 gx dx + dot4 gk dk + f64.sum (map2 (*) gb db)
  in f64.abs (want - got) <= 1e-9 * (1 + f64.abs want)
