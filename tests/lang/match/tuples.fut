-- Cases on tuples of truth values.
-- ==
-- input { true true } output { 1 }
-- input { true false } output { 2 }
-- input { false true } output { 3 }
-- input { false false } output { 3 }
entry main (a: bool) (b: bool) : i32 =
  match (a, b)
  case (true, true) -> 1
  case (true, false) -> 2
  case (false, _) -> 3
