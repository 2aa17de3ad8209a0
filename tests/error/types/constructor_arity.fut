-- A constructor with too many payloads.
-- at 7
-- ==
-- error: Cannot|payload|constructor

type t = #a i32 | #b
def f : t = #b 3
