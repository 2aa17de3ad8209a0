-- A constructor with the wrong payload.
-- at 7
-- ==
-- error: Function body does not have expected type.*Cannot unify i32 with bool

type t = #a i32 | #b
def f : t = #a true
