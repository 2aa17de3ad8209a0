-- The adjoint of a row that is summed has equal elements; transposed, it is the same row over and
-- over again, and no array of all of them is made.
-- structure soac: rearrange 0, replicate 1
-- ==
-- entry: gradient
-- input { [[1f64, 2f64], [3f64, 4f64], [5f64, 6f64]] [2i64, 0i64] [1f64, -1f64] }
-- output { [[0.5f64, -0.5f64], [0f64, 0f64], [0.5f64, -0.5f64]] }

def mean_of_rows [v][d][l] (table: [v][d]f64) (ids: [l]i64) (w: [d]f64) : f64 =
  let mean = map (\column -> f64.sum column / f64.i64 l) (transpose (map (\i -> table[i]) ids))
  in f64.sum (map2 (*) w mean)

entry gradient [v][d][l] (table: [v][d]f64) (ids: [l]i64) (w: [d]f64) : [v][d]f64 =
  vjp (\table -> mean_of_rows table ids w) table 1
