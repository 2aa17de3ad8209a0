-- A pattern with a constructor that the type does not have.
-- at 7
-- ==
-- error: Pattern #c cannot match value of type #a . #b.*type with constructors #c with #a . #b, which has no such

type t = #a | #b
def f (x: t) = match x case #c -> 1i32
