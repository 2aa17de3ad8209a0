-- A module type that is not bound.
-- at 6
-- ==
-- error: Unknown .*"nope"

module m : nope = { def x = 1i32 }
