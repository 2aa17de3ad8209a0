-- Indices that run over the array need no check.
-- structure soac: assert 0
-- ==
-- input { [1i32, 2i32, 3i32] } output { [2i32, 4i32, 6i32] }
entry main [n] (xs: *[n]i32) : *[n]i32 = loop xs for i < n do xs with [i] = xs[i] * 2
