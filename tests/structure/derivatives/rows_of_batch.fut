-- Weights that all samples share, and arrays that are made for each of them: the derivative by the weights is a product of
-- matrices for each sample, whose results are added up.
-- structure sequential,reduce_row_accs: withacc 2, upd_acc 2, screma.reduce 9
-- depth sequential,reduce_row_accs: upd_acc 4
-- ==
-- entry: compare
-- input { 3i64 5i64 4i64 2i64 } output { true }
-- input { 1i64 1i64 1i64 1i64 } output { true }
-- input { 0i64 5i64 4i64 2i64 } output { true }
-- input { 3i64 0i64 4i64 2i64 } output { true }
-- input { 3i64 5i64 0i64 2i64 } output { true }
-- input { 3i64 5i64 4i64 0i64 } output { true }
def layer [n][m][o] (w: [m][o]f64) (x: [n][m]f64) : [n][o]f64 =
  let sums = transpose (map (scan (+) 0) (transpose x))
  in map (\row -> map (\column -> f64.max 0 (f64.sum (map2 (*) row column))) (transpose w)) sums

def loss [b][n][m][o] (w: [m][o]f64) (xs: [b][n][m]f64) : f64 =
  f64.sum (map (\x -> f64.sum (map (\r -> f64.sum (map (\v -> v * v) r)) (layer w x))) xs)

entry gradient [b][n][m][o] (w: [m][o]f64) (xs: [b][n][m]f64) : [m][o]f64 = vjp (\w -> loss w xs) w 1

-- Along some direction, forward mode gives the same.
entry compare (b: i64) (n: i64) (m: i64) (o: i64) : bool =
  let some s i = f64.sin (f64.i64 (i * 7 + s))
  let two s n m = tabulate_2d n m (\i j -> some s (i * m + j))
  let xs = tabulate b (\i -> two (i + 1) n m)
  let (w, dw) = (two 20 m o, two 30 m o)
  let want = jvp (\w -> loss w xs) w dw
  let got = f64.sum (map2 (*) (flatten (gradient w xs)) (flatten dw))
  in f64.abs (want - got) <= 1e-9 * (1 + f64.abs want)
