-- What two folds of a row read, made of a vector of the row and one of all rows, is computed by each of them: no
-- row has an array.  `apart` keeps its rows: each would be computed again for every column of m.
-- structure soac: screma 9, prim 12
-- structure soac,delay_in_rows: screma 9, prim 13
-- ==
-- entry: together
-- input { [[1f64, 2f64], [3f64, 3f64]] [[0f64, 1f64], [0f64, 0f64], [5f64, 0f64]] }
-- output { [[3f64, 2f64, 6f64], [4f64, 4f64, 8f64]] }
-- input { empty([0][2]f64) [[0f64, 1f64]] } output { empty([0][1]f64) }

-- ==
-- entry: apart
-- input { [[1f64, 2f64], [3f64, 3f64]] [[0f64, 1f64], [0f64, 0f64], [5f64, 0f64]] [[1f64, 0f64], [2f64, 1f64]] }
-- output { [[4f64, 3f64, 18f64], [9f64, 9f64, 24f64]] }
entry together [n][k][d] (xs: [n][d]f64) (ms: [k][d]f64) : [n][k]f64 =
  map (\x -> map (\m -> let both = map2 (+) x m
                        let top = f64.maximum both
                        in top + f64.sum (map (\v -> f64.max 0 (v - top + 1)) both) - 1) ms) xs

entry apart [n][k][d] (xs: [n][d]f64) (ms: [k][d]f64) (w: [d][d]f64) : [n][k]f64 =
  map (\x -> map (\m -> let both = map2 (+) x m
                        in f64.sum (map (\row -> f64.maximum (map2 (*) row both)) w)) ms) xs
