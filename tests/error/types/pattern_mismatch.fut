-- A pattern of the wrong type.
-- at 6
-- ==
-- error: Pattern .* cannot match|Cannot unify

def f (x: i32) = let (a, b) = x in a + b
