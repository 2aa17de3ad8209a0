-- A constructor is missing.
-- at 7
-- ==
-- error: Unmatched cases in match expression:.*#b _

type t = #a | #b i32 | #c
def f (x: t) = match x case #a -> 1i32 case #c -> 3
