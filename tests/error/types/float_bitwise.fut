-- Floats have no bitwise operators.
-- at 6
-- ==
-- error: Cannot instantiate type that must be one of .i8, .*u64. with f32

def f (x: f32) = x & x
