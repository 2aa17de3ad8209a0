-- A product whose factors are read by row numbers is one as much as a product of rows is: however many rows there are
-- outside, there is no kernel whose threads do all columns of one (where factors are read so, there was).
-- structure soac,gpu: loop.kernel 13, opaque 5
-- ==
-- input { [[1f64, 2f64], [3f64, -1f64], [0.5f64, 4f64]] [[1f64, -1f64], [2f64, 0.5f64]] }
-- output { [[-0.3333333333333333f64, 0.0f64], [0.7272727272727273f64, 0.0f64], [-1.1666666666666667f64, 0.0f64]] }
entry main [n][m][k] (x: [n][k]f64) (w: [m][k]f64) : [n][m]f64 =
  map (\i -> let s = map (\j -> f64.sum (map (\l -> x[i, l] * w[j, l]) (iota k))) (iota m)
             let top = f64.maximum s
             in map (\v -> if v < top then v / top else 0) s)
      (iota n)
