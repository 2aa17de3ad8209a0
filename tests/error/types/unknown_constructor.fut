-- A constructor that the type does not have.
-- at 7
-- ==
-- error: Cannot unify type with constructors #c with #a i32 . #b

type t = #a i32 | #b
def f : t = #c
