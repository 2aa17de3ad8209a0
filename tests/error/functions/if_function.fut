-- A branch may not give a function.
-- at 6
-- ==
-- error: if-results may not be of function type

def f b = if b then (+ 1i32) else (* 2i32)
