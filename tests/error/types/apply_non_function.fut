-- Something that is not a function is applied.
-- at 6
-- ==
-- error: Cannot apply expression as function, as it has non-function type

def f (x: i32) = x 3
