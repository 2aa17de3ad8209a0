-- A case of another type.
-- at 6
-- ==
-- error: Pattern true cannot match value of type i32

def f (x: i32) = match x case true -> 1i32 case _ -> 2
