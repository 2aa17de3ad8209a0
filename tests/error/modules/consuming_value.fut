-- A value that consumes more than specified.
-- at 6
-- ==
-- error: Module type specifies.*but module provides

module m : {val f : [3]i32 -> i32} = {def f (x: *[3]i32) = x[0]}
