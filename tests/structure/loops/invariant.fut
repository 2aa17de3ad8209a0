-- A parameter that never changes is none.
-- structure soac: loop 1
-- structure soac,c: loop 1
-- ==
-- input { 3i32 5i32 } output { 5i32 43i32 }
entry main (n: i32) (x: i32) : (i32, i32) =
  loop (a, b) = (x, 0) for _i < n do (a, b + a * b + 1)
