-- A definition sees only earlier ones.
-- at 6
-- ==
-- error: Unknown name "g"

def f (x: i32) = g x
def g (x: i32) = x
