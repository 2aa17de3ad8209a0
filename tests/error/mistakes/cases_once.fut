-- Cases once.
-- at 6
-- ==
-- error: Cases of match-expression do not have the same type

def f (x: i32) = match x case 0 -> 1i32 case 1 -> true case _ -> false
