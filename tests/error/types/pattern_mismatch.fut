-- A pattern of the wrong type.
-- at 6
-- ==
-- error: Pattern .a, b. cannot match value of type i32

def f (x: i32) = let (a, b) = x in a + b
