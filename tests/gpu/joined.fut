-- Rows of a nest that are put together of others, and parts of rows in another shape.
-- ==
-- entry: pad
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[0, 1, 2, 0], [0, 3, 4, 0], [0, 5, 6, 0]] }

-- ==
-- entry: windows
-- input { [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]] } output { [[[1, 2, 4, 5], [2, 3, 5, 6], [4, 5, 7, 8], [5, 6, 8, 9]]] }

-- ==
-- entry: frame
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }
-- output { [[[0, 0], [1, 2], [3, 4], [0, 0]], [[0, 0], [5, 6], [7, 8], [0, 0]]] }
entry pad [n][m] (xs: [n][m]i32) = map (\x -> [0] ++ x ++ [0]) xs

entry windows [n][h][w] (xs: [n][h][w]i32) =
  map (\x -> flatten (tabulate_2d (h - 1) (w - 1) (\i j -> flatten x[i:i + 2, j:j + 2] :> [4]i32))) xs

entry frame [n][m][k] (xs: [n][m][k]i32) =
  map (\x -> let zero = replicate k 0 in [zero] ++ map (map (\v -> v)) x ++ [zero]) xs
