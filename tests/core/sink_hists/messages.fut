-- Rows that edges of a graph gather and compute are added as they are made; a version that stores them is there too.
-- structure soac,sink_hists: withacc 1, hist 2
-- ==
-- input { [[1, 2], [3, 5]] [0i64, 1i64, 1i64] [1i64, 0i64, 1i64] } output { [[40, 67], [16, 31]] [14, 14] }
entry main [n] [d] [m] (x: [n][d]i32) (from: [m]i64) (to: [m]i64) : ([n][d]i32, [n]i32) =
  let w = map2 (\i j -> i32.sum (map2 (\p q -> (p - q) * (p - q)) x[i] x[j])) from to
  let rows = map2 (\i w -> map (* w) x[i]) from w
  in (reduce_by_index (copy x) (map2 (+)) (replicate d 0) to rows, reduce_by_index (replicate n 1) (+) 0 to w)
