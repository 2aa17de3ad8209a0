-- A map is not repeated in a loop that reads it.
-- structure soac: screma 3
-- ==
-- input { [1f64, 2f64] [3f64, 4f64] } output { [30.322013782169087f64, 40.42935170955878f64] }
entry main [n][m] (xs: [n]f64) (ys: [m]f64) : [m]f64 =
  let es = map f64.exp xs
  in map (\y -> f64.sum (map (* y) es)) ys
