-- Local functions with sizes.
-- ==
-- input { [1, 2] } output { 4i64 5i64 }
entry main [n] (xs: [n]i32) = let f [m] (_: [m]i32) = m + n in (f xs, f [1, 2, 3])
