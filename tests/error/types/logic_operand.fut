-- The operands of && are bools.
-- at 6
-- ==
-- error: Cannot apply "&&" to "x" .invalid type..*Expected: bool

def f (x: i32) = x && true
