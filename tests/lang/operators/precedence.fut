-- The levels of the built-in operators.
-- ==
-- input { } output { [64, 4, 24, 32, 6, 7, 5, 2, 30] true }
entry main : ([]i32, bool) =
  ([2 ** 3 ** 2, -2 ** 2, 1 + 2 << 3, 1 << 2 + 3, 6 & 3 << 1, 1 | 2 + 4, 10 - 3 - 2,
    100 / 10 / 5, 1 + 2 |> (* 10)], true || false && false)

-- ==
-- entry: compare
-- input { 6 3 } output { true true }
entry compare (x: i32) (y: i32) = (x & y == 2, 1 < 2 == true)
