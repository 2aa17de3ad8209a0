-- A value that a loop carries for nothing is dropped.
-- structure soac: loop 1, prim 1
-- ==
-- input { 5i64 } output { 243i64 }
entry main (n: i64) : i64 =
  (loop (a, b) = (1, 1) for _i < n do (a * 3, b * 5)).0
