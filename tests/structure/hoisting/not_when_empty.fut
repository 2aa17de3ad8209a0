-- Rows that do not exist fail no check.
-- structure soac: assert 1
-- ==
-- input { empty([0]i32) [7i32, 8i32] 5i64 } output { empty([0]i32) }
entry main [n][m] (xs: [n]i32) (ys: [m]i32) (k: i64) : [n]i32 = map (\x -> x + ys[k]) xs
