-- A slice of constant width inside of a guard.
-- structure soac: assert 0
-- ==
-- input { [1i32, 2i32, 3i32, 4i32] } output { [3i32, 5i32, 7i32, 0i32] }
entry main [n] (xs: [n]i32) : [n]i32 =
  tabulate n (\i -> if i + 2 <= n then i32.sum xs[i:i + 2] else 0)
