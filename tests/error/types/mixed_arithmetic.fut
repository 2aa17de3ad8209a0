-- The operands have different types.
-- at 6
-- ==
-- error: Cannot apply "." to "y" .invalid type..*Hint: use i32.f32 to convert

def f (x: i32) (y: f32) = x + y
