-- An unsigned value is never negative.
-- at 6
-- ==
-- error: Literal -1 out of bounds for inferred type u8

def f (x: u8) = match x case -1 -> 1i32 case _ -> 2
