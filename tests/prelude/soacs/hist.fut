-- Histograms with a number of bins.
-- ==
-- input { 3i64 [0i64, 0i64, 7i64, -1i64, 2i64] [1, 2, 3, 4, 5] } output { [3, 0, 5] }
entry main [n] (k: i64) (is: [n]i64) (vs: [n]i32) = hist (+) 0 k is vs
