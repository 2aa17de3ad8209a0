-- Matches that are exhaustive together.
type t = #a bool | #b {x: bool, k: i32} | #c (#d | #e)
def f (x: t) (y: bool) : i32 =
  match (x, y)
  case (#a true, _) -> 1
  case (#a false, true) -> 2
  case (#b {x = true, k = 3}, _) -> 3
  case (#b {x = _, k}, true) -> k
  case (#c #d, _) -> 5
  case (_, false) -> 6
  case (#c #e, true) -> 7
-- ==
-- input { true } output { [1, 2, 3, 4, 4, 5, 7] }
-- input { false } output { [1, 6, 3, 6, 6, 5, 6] }
entry main (y: bool) =
  [f (#a true) y, f (#a false) y, f (#b {x = true, k = 3}) y, f (#b {x = true, k = 4}) y,
   f (#b {x = false, k = 4}) y, f (#c #d) y, f (#c #e) y]
