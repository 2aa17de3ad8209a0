-- A section with the wrong operand.
-- at 6
-- ==
-- error: Cannot apply "map" to ".1i32." .invalid type..*Cannot unify f32 with i32

def f = map (+ 1.5f32) [1i32]
