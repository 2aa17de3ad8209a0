-- A case of another type.
-- at 6
-- ==
-- error: Cannot|match

def f (x: i32) = match x case true -> 1i32 case _ -> 2
