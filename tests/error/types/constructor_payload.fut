-- A constructor with the wrong payload.
-- at 7
-- ==
-- error: Cannot|payload|constructor

type t = #a i32 | #b
def f : t = #a true
