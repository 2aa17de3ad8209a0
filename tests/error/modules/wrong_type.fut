-- A value has another type than specified.
-- at 6
-- ==
-- error: Module type specifies.*but module provides

module m : { val x : i32 } = { def x = 1f32 }
