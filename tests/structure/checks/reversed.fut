-- From the other end.
-- structure soac: assert 0
-- ==
-- input { [1i32, 2i32, 3i32] } output { [3i32, 2i32, 1i32] }
entry main [n] (xs: [n]i32) : [n]i32 = tabulate n (\i -> xs[n - 1 - i])
