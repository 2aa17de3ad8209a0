-- The derivative of a convolution by its kernel: sums that share a factor and costly indices stay in one kernel, although
-- each is a product of matrices.
-- structure soac,gpu: loop.kernel 34
-- ==
-- entry: main
-- script input { data 2i64 34i64 33i64 5i64 7i64 }
-- output { true }
def pixel [h][w] (image: [h][w]f64) (i: i64) (j: i64) : f64 =
  if i >= 0 && i < h && j >= 0 && j < w then image[i, j] else 0

def layer [b][c][o][h][w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) : [b][o][h][w]f64 =
  map (\images ->
         map (\kernels ->
                tabulate_2d h w (\i j ->
                  f64.sum (map2 (\ker im ->
                                   f64.sum (map (\di -> f64.sum (map (\dj -> ker[di, dj] * pixel im (i + di - 1) (j + dj - 1))
                                                                     (iota 3)))
                                                (iota 3)))
                                kernels images)))
             k)
      x

def gradient [b][c][o][h][w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) : [o][c][3][3]f64 =
  vjp (\k -> f64.sum (map (** 3) (flatten (flatten_3d (layer x k))))) k 1

-- Element by element.
def expected [b][c][o][h][w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) : [o][c][3][3]f64 =
  let y = layer x k
  in tabulate_2d o c (\f ch ->
       tabulate_2d 3 3 (\di dj ->
         loop s = 0 for n < b do
           loop s for i < h do
             loop s for j < w do s + 3 * y[n, f, i, j] ** 2 * pixel x[n, ch] (i + di - 1) (j + dj - 1)))

entry data (b: i64) (c: i64) (o: i64) (h: i64) (w: i64) =
  (tabulate_3d b c h (\n i j -> tabulate w (\l -> f64.sin (f64.i64 (n + 2 * i + 3 * j + 5 * l)))),
   tabulate_3d o c 3 (\n i j -> tabulate 3 (\l -> f64.cos (f64.i64 (n + 2 * i + 3 * j + 5 * l)))))

entry main [b][c][o][h][w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) : bool =
  let near (a: f64) (b: f64) = f64.abs (a - b) <= 1e-9 * (1 + f64.abs b)
  in and (map2 near (flatten (flatten_3d (gradient x k))) (flatten (flatten_3d (expected x k))))
