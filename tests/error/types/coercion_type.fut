-- A coercion changes only sizes.
-- at 6
-- ==
-- error: Cannot|match

def f (xs: []i32) = xs :> [3]f32
