-- An ascription of another type.
-- at 6
-- ==
-- error: Expression does not have expected type from explicit ascription

def f (x: i32) = x : f32
