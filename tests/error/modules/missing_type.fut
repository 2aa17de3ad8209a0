-- The module lacks a type.
-- at 6
-- ==
-- error: Module does not define a type named "t"

module m : { type t } = { def x = 1i32 }
