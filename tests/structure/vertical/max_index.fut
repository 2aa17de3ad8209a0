-- The index of the largest is one loop.
-- structure soac: screma 1
-- structure soac,c: loop 1, alloc 0
-- ==
-- input { [1i32, 7i32, 3i32] } output { 1i64 }
entry main [n] (xs: [n]i32) : i64 =
  (reduce (\(a, i) (b, j) -> if b > a then (b, j) else (a, i)) (i32.lowest, -1) (zip xs (iota n))).1
