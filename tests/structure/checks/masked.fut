-- Lower bits of a counter.
-- structure soac: assert 0
-- ==
-- input { [1i32, 2i32, 3i32, 4i32] } output { [2i32, 2i32, 5i32, 5i32] }
entry main [n] (xs: [n]i32) : [n]i32 = tabulate n (\i -> xs[i & 6] + xs[i >> 1])
