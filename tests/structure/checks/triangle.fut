-- The inner loop goes up to the outer counter.
-- structure soac: assert 0
-- ==
-- input { [1i32, 2i32, 3i32] } output { 11i32 }
entry main [n] (xs: [n]i32) : i32 =
  loop s = 0 for i < n do loop s for j < i do s + xs[j] * xs[i]
