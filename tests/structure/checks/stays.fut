-- What is not known is checked.
-- structure soac: assert 1
-- ==
-- input { [1i32, 2i32, 3i32] [0i64, 2i64] } output { [1i32, 3i32] }
entry main [n][m] (xs: [n]i32) (is: [m]i64) : [m]i32 = map (\i -> xs[i]) is
