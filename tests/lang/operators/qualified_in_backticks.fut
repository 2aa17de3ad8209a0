-- Functions of modules between their operands, also with one operand left out.
-- ==
-- input { 3 5 } output { 5 3 [3,4] }
entry main (a: i32) (b: i32) =
  (a `i32.max` b, a `i32.min` b, map (`i32.min` 4) [3, b])
