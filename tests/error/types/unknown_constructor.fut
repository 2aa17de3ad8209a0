-- A constructor that the type does not have.
-- at 7
-- ==
-- error: #a i32 . #b has no constructor #c

type t = #a i32 | #b
def f : t = #c
