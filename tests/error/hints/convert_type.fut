-- A type applied as a function.
-- at 6
-- ==
-- error: "f32.i32 x" converts an i32

def f (x: i32) = f32 x
