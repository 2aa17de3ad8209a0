-- The pattern as its own initial value.
-- ==
-- input { 3 4 } output { 34 }
entry main (a: i32) (b: i32) : i32 =
  let (x, y) = loop (a, b) for _i < 3i32 do (b, a + b)
  in x * 1 + y + x - x + 5
