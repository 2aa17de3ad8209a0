-- Floats have no bitwise operators.
-- at 6
-- ==
-- error: Expected: one of .i8, .*u64..Actual:   f32

def f (x: f32) = x & x
