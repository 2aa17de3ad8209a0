-- An argument of the wrong type.
-- at 7
-- ==
-- error: Cannot apply "g" to "x" .invalid type.

def g (y: f32) = y
def f (x: i32) = g x
