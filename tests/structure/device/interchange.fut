-- The sum of rows that a map makes becomes a map of sums: no array has all the rows.
-- structure soac,interchange: screma 3, screma.reduce 1 at 2
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [2f64, 3f64, 5f64] }
-- output { [[7f64, 20f64], [21f64, 40f64]] }
entry main [h][w][n] (xss: [h][w]f64) (ks: [n]f64) : [h][w]f64 =
  map (\row -> reduce (map2 (+)) (replicate w 0)
                      (map (\k -> map2 (\j x -> if j == 0 then x * (k + 7 - 8) else x * k)
                                       (iota w) row) ks)) xss
