-- A section with the wrong operand.
-- at 6
-- ==
-- error: Cannot

def f = map (+ 1.5f32) [1i32]
