-- Cases on records.
-- ==
-- input { 1 2 } output { 2 }
-- input { 0 2 } output { -2 }
entry main (x: i32) (y: i32) : i32 =
  match {x, y}
  case {x = 0, y} -> -y
  case {x = _, y = z} -> z
