-- A layer for batches of sequences: its weights get one sum over all rows of all sequences, a product of matrices.
-- structure soac: upd_acc 0, screma.reduce 2
-- ==
-- input { [[[1f64, 2f64], [0f64, -1f64]], [[0.5f64, 0f64], [1f64, 1f64]], [[2f64, 0f64], [0f64, 3f64]]] [[1f64, 2f64], [0f64, -1f64], [0.5f64, 0f64]] }
-- output { [[126.375f64, 489.0f64], [15.0f64, 105.0f64], [7.59375f64, 2.25f64]] }
-- input { empty([0][2][2]f64) [[1f64, 2f64]] } output { [[0f64, 0f64]] }
-- input { empty([2][0][2]f64) [[1f64, 2f64]] } output { [[0f64, 0f64]] }
def f [b][s][e][k] (x: [b][s][e]f64) (w: [k][e]f64) : f64 =
  let y = tabulate_3d b s k (\n i c -> f64.sum (map (\j -> x[n, i, j] * w[c, j]) (iota e)))
  in f64.sum (map (** 3) (flatten_3d y))

entry main [b][s][e][k] (x: [b][s][e]f64) (w: [k][e]f64) : [k][e]f64 = vjp (f x) w 1
