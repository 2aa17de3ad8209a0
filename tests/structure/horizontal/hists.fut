-- Two histograms of the same indices are one loop.
-- structure soac,c: loop 1, alloc 2
-- ==
-- input { [0i64, 1i64, 1i64] [5i32, 6i32, 7i32] } output { [5i32, 13i32] [1i32, 2i32] }
entry main [n] (is: [n]i64) (vs: [n]i32) : ([2]i32, [2]i32) =
  (reduce_by_index (replicate 2 0) (+) 0 is vs, reduce_by_index (replicate 2 0) (+) 0 is (map (const 1) is))
