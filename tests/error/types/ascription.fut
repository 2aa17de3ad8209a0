-- An ascription of another type.
-- at 6
-- ==
-- error: does not have expected type from explicit ascription|Cannot unify

def f (x: i32) = x : f32
