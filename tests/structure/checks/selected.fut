-- Either of two indices is in range.
-- structure soac: assert 0
-- ==
-- input { [1i32, 2i32, 3i32] 4i32 } output { [1i32, 2i32, 3i32] }
entry main [n] (xs: [n]i32) (k: i32) : [n]i32 =
  tabulate n (\i -> xs[if xs[i] < k then i else n - 1 - i])
