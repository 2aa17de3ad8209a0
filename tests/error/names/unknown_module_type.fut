-- A module type that is not bound.
-- at 6
-- ==
-- error: Unknown module type "nope"

module m : nope = { def x = 1i32 }
