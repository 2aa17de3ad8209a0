-- Folds over elements at indices that are read: each of them is checked, and the message names the
-- first that is wrong.
-- ==
-- input { [0i64, 2i64, 1i64, 2i64, 0i64, 1i64, 2i64] [1i64, 10i64, 100i64] } output { 28678i64 }
-- input { [0i64] [1i64] } output { 1i64 }
-- input { empty([0]i64) [1i64] } output { 0i64 }
-- input { [0i64, 1i64, 0i64, 1i64, 0i64, 3i64, -1i64] [1i64, 10i64, 100i64] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [0i64, 1i64, 0i64, 1i64, -1i64] [1i64, 10i64, 100i64] }
-- error: Index \[-1\] out of bounds for array of shape \[3\]
entry main [n][m] (is: [n]i64) (xs: [m]i64) : i64 =
  loop s = 0 for i in is do s * 3 + xs[i]
