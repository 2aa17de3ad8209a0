-- Operators on arrays: maps of others change places with the scan or reduction; of products of
-- matrices each thread does many.
-- structure soac,flatten,dce: screma.scan 2
-- ==
-- entry: vec
-- input { [[1, 2], [3, 4], [5, 6]] } output { [9, 12] [[1, 2], [4, 6], [9, 12]] }
entry vec [n][m] (x: [n][m]i32) =
  (reduce (map2 (+)) (replicate m 0) x, scan (map2 (+)) (replicate m 0) x)

-- ==
-- entry: vec2
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }
-- output { [[6, 8], [10, 12]] [[4, 6], [12, 14]] }
entry vec2 [n][m] (x: [n][m][m]i32) =
  (reduce (map2 (map2 (+))) (replicate m (replicate m 0)) x,
   map (reduce (map2 (+)) (replicate m 0)) x)

def mm [n] (a: [n][n]i32) (b: [n][n]i32) =
  map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a

-- ==
-- entry: mat
-- input { [[[1, 1], [0, 1]], [[1, 2], [0, 1]], [[1, 0], [3, 1]], [[2, 0], [0, 1]]] }
-- output { [[20, 3], [6, 1]]
--          [[[1, 1], [0, 1]], [[1, 3], [0, 1]], [[10, 3], [3, 1]], [[20, 3], [6, 1]]] }
entry mat [k][n] (x: [k][n][n]i32) =
  let ne = tabulate_2d n n (\i j -> i32.bool (i == j))
  in (reduce mm ne x, scan mm ne x)
