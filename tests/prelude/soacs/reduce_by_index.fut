-- Histograms into an array.
-- ==
-- input { [10, 20, 30] [0i64, 0i64, 7i64, -1i64, 2i64] [1, 2, 3, 4, 5] } output { [13, 20, 35] }
entry main [k][n] (dest: *[k]i32) (is: [n]i64) (vs: [n]i32) = reduce_by_index dest (+) 0 is vs

-- ==
-- entry: tuples
-- input { [1i64, 1i64, 0i64] [1.0, 5.0, 3.0] } output { [3.0, 5.0] [2i64, 1i64] }
entry tuples [n] (is: [n]i64) (vs: [n]f64) =
  let larger (a, i) (b, j) = if b > a || (a == b && j < i) then (b, j) else (a, i)
  in unzip (reduce_by_index (replicate 2 (-f64.inf, -1)) larger (-f64.inf, -1) is (zip vs (iota n)))

-- ==
-- entry: rows
-- input { [1i64, 0i64, 1i64] [[1, 2], [3, 4], [5, 6]] } output { [[3, 4], [6, 8]] }
entry rows [n] (is: [n]i64) (vs: [n][2]i32) =
  reduce_by_index (replicate 2 (replicate 2 0)) (map2 (+)) (replicate 2 0) is vs
