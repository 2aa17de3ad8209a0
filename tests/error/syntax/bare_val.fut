-- A specification is no declaration.
-- at 6
-- ==
-- error: Unexpected "val"

val x : i32
