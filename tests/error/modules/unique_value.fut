-- A result that is not as unique as specified.
-- at 6
-- ==
-- error: Module type specifies.*but module provides

module m : {val f : [3]i32 -> *[3]i32} = {def f (x: [3]i32) : [3]i32 = x}
