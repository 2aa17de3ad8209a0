-- A coercion changes only sizes.
-- at 6
-- ==
-- error: Expression does not have expected type from explicit coercion.*Cannot unify f32 with i32

def f (xs: []i32) = xs :> [3]f32
