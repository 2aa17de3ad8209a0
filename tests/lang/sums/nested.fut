-- Nested constructors.
type t = #leaf i32 | #pair (i32, #some bool | #none)
def f (x: t) : i32 =
  match x
  case #leaf n -> n
  case #pair (n, #some true) -> n + 100
  case #pair (n, #some false) -> n + 200
  case #pair (n, #none) -> n + 300
-- ==
-- input { 1 } output { 1 101 201 301 }
entry main (x: i32) =
  (f (#leaf x), f (#pair (x, #some true)), f (#pair (x, #some false)), f (#pair (x, #none)))
