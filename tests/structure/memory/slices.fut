-- Slices are views.
-- structure soac,c: copies 0, alloc 0
-- ==
-- input { [1i32, 2i32, 3i32, 4i32] } output { 3i32 }
entry main [n] (xs: [n]i32) : i32 = i32.sum xs[1:] - i32.sum xs[:n - 1]
