-- The module lacks a value.
-- at 6
-- ==
-- error: Module does not define a value named "y"

module m : { val x : i32 val y : i32 } = { def x = 1i32 }
