-- Loops with a condition.
-- ==
-- input { 100 } output { 128 7 }
entry main (n: i32) : (i32, i32) = loop (x, i) = (1, 0) while x < n do (x * 2, i + 1)

-- The condition itself is among what the loop gives.
-- ==
-- entry: flag
-- input { 5 } output { false 5 }
-- input { 0 } output { false 1 }
entry flag (n: i32) : (bool, i32) = loop (go, x) = (true, 0) while go do (x + 1 < n, x + 1)

-- It is computed from what another parameter was before.
-- ==
-- entry: before
-- input { 4 } output { false 6 5 }
entry before (n: i32) : (bool, i32, i32) =
  loop (go, x, y) = (true, 0, 0) while go do (y < n, x + 1, x)

-- A loop in it ends by itself.
-- ==
-- entry: inner
-- input { 3 } output { 3 6 }
entry inner (n: i32) : (i32, i32) =
  loop (i, s) = (0, 0) while i < n do
    let (k, _) = loop (k, j) = (0, i) while j >= 0 do (k + 1, j - 1)
    in (i + 1, s + k)
