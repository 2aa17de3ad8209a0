-- A size in a module type is compared by name.
-- at 6
-- ==
-- error: Module type specifies.*val xs : .n.i32.*but module provides.*val xs : .3.i32

module m : { val n : i64 val xs : [n]i32 } = { def n = 3i64 def xs = [1i32, 2, 3] }
