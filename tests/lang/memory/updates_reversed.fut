-- Rows that are computed in place: what is written into the reversed rows of an array that is itself
-- computed in a row of another one goes there, at an offset that is the sum of both.
-- ==
-- entry: copies
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]] }
-- output { [[[3.0, 4.0], [1.0, 2.0]], [[7.0, 8.0], [5.0, 6.0]]] }
entry copies [n][m] (xss: [n][m][2]f64) : [n][m][2]f64 =
  map (\xs ->
    let a = map (map f64.sin) xs
    let a[::-1] = copy xs
    in a) xss

-- ==
-- entry: maps
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]] }
-- output { [[[6.0, 8.0], [2.0, 4.0]], [[14.0, 16.0], [10.0, 12.0]]] }
entry maps [n][m] (xss: [n][m][2]f64) : [n][m][2]f64 =
  map (\xs ->
    let a = copy xs
    let a[::-1] = map (map (* 2)) xs
    in a) xss
