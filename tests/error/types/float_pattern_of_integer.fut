-- A decimal literal is no integer.
-- at 6
-- ==
-- error: Pattern 1.0 cannot match value of type i32

def f (x: i32) = match x case 1.0 -> 1i32 case _ -> 2
