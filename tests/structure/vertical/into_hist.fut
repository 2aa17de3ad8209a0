-- A map before a histogram goes along.
-- structure soac: screma 0, hist 1
-- structure soac,c: loop 1, alloc 1, copies 0
-- ==
-- input { [1i64, 2i64, 1i64, 7i64] } output { [0i32, 4i32, 4i32, 14i32] }
entry main (is: []i64) : [4]i32 =
  reduce_by_index (replicate 4 0) (+) 0 (map (% 4) is) (map (\i -> i32.i64 i * 2) is)
