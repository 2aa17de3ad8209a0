-- A counter of another type.
-- structure soac: assert 0
-- ==
-- input { [1i32, 2i32, 3i32] } output { 6i32 }
entry main [n] (xs: [n]i32) : i32 =
  loop s = 0 for i < n do s + xs[i64.i32 (i32.i64 i) - i64.i32 (i32.i64 i) + i]
