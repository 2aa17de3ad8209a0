-- A lambda's parameters have the sizes that the other arguments say.
def larger [n][m] (xss: [n][m]i32) : [m]i32 =
  reduce (\a b -> if i32.sum a > i32.sum b then a else b) (replicate m 0) xss
-- ==
-- input { [[1, 2], [5, 0], [2, 2]] } output { [5, 0] [8, 4] }
entry main [n][m] (xss: [n][m]i32) =
  (larger xss, foldl (\acc xs -> map2 (+) acc xs) (replicate m 0) xss)
