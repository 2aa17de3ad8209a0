-- A specification is no declaration.
-- at 6
-- ==
-- error: Unexpected token: 'val'

val x : i32
