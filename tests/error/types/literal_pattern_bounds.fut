-- The bounds of literals hold for patterns as well.
-- at 6
-- ==
-- error: Literal 200 out of bounds for inferred type i8

def f (x: i8) = match x case 200 -> 1i32 case _ -> 2
