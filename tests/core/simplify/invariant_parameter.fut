-- Loop parameters that do not change are none.
-- structure simplify: loop 1, atom 0
-- ==
-- input { 3i32 5i32 } output { 15i32 5i32 }
entry main (n: i32) (k: i32) : (i32, i32) =
  loop (s, j) = (0, k) for _i < n do (s + j, j)
