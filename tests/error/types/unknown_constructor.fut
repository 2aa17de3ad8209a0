-- A constructor that the type does not have.
-- at 7
-- ==
-- error: Cannot|constructor

type t = #a i32 | #b
def f : t = #c
