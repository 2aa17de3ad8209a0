-- The operands have different types.
-- at 6
-- ==
-- error: Cannot

def f (x: i32) (y: f32) = x + y
