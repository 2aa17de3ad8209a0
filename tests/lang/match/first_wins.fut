-- The first matching case is taken.
-- ==
-- input { 3 4 } output { 1 }
-- input { 5 4 } output { 2 }
-- input { 5 6 } output { 3 }
entry main (x: i32) (y: i32) : i32 =
  match (x, y)
  case (3, _) -> 1
  case (_, 4) -> 2
  case _ -> 3
