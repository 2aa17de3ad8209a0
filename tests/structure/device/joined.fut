-- Rows that are put together of others: a thread for each element, not one that copies a row.
-- structure soac,gpu: loop.kernel 2, concat 0, copy 0, update 1
-- ==
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[0, 1, 2, 0], [0, 3, 4, 0], [0, 5, 6, 0]] }
entry main [n][m] (xs: [n][m]i32) = map (\x -> [0] ++ x ++ [0]) xs
