-- The operands have different types.
-- at 6
-- ==
-- error: Cannot apply "." to "y" .invalid type..*Hint: use f32.i32 to convert the other operand

def f (x: i32) (y: f32) = x + y
