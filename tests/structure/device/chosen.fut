-- Rows that a condition chooses are read element by element: no thread copies one.
-- structure soac,gpu: loop.kernel 5, copy 0, update 4
-- ==
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[1, 1], [2, 3], [4, 5]] }
entry main [n][m] (xs: [n][m]i32) =
  let none = replicate m 0
  in tabulate n (\i -> map (+ 1) (if i > 0 then xs[i - 1] else none))
