-- A constructor with too many payloads.
-- at 7
-- ==
-- error: #b differ in arity: it has 0 arguments here and 1 there

type t = #a i32 | #b
def f : t = #b 3
