-- A check that does not depend on the row is made once.
-- structure soac: assert 1
-- ==
-- input { [1i32, 2i32] [7i32, 8i32] 1i64 } output { [9i32, 10i32] }
entry main [n][m] (xs: [n]i32) (ys: [m]i32) (k: i64) : [n]i32 = map (\x -> x + ys[k]) xs
