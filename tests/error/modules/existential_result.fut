-- A result whose size is promised but not known.
-- at 6
-- ==
-- error: Module type specifies.*but module provides

module m : {val f [n] : [n]i32 -> [n]i32} = {def f (x: []i32) = filter (> 0) x}
