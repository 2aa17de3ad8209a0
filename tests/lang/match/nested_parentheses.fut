-- A match inside a case.
-- ==
-- input { 1 2 } output { 12 }
-- input { 1 3 } output { 19 }
-- input { 0 0 } output { 0 }
entry main (x: i32) (y: i32) : i32 =
  match x
  case 1 -> (match y case 2 -> 12 case _ -> 19)
  case _ -> 0
