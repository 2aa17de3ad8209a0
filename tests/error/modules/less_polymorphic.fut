-- A value that is less polymorphic than specified.
-- at 6
-- ==
-- error: Module type specifies.*but module provides.*val f : i32 -> i32

module m : {val f 't : t -> t} = {def f (x: i32) = x}
