-- A tuple pattern with too many components.
-- at 6
-- ==
-- error: Pattern .a, b, c. cannot match value of type .i32, i32.

def f (x: (i32, i32)) = let (a, b, c) = x in a + b + c
