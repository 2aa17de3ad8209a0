-- Both branches load the same elements, and check one of them: that is done before them.  A check for each branch is left,
-- since it says where the program ended.
-- structure soac: if 1, assert 2, index 7
-- structure soac,c: if 1, assert 2, index 4
-- ==
-- input { [1f64, 4f64, 3f64] [1i64, 0i64, 1i64] [true, true, false] } output { [1.0f64, 1.0f64, 4.0f64] }
-- input { [1f64, 4f64, 3f64] [1i64, 3i64, 1i64] [true, true, false] } error: Index \[3\] out of bounds
-- input { [1f64, 4f64, 3f64] [1i64, 0i64, -1i64] [true, true, false] } error: Index \[-1\] out of bounds
entry main [n] (xs: [n]f64) (is: [n]i64) (low: [n]bool) : [n]f64 =
  map (\i -> if low[i] then f64.min xs[i] xs[is[i]] else f64.max xs[i] xs[is[i]]) (iota n)
