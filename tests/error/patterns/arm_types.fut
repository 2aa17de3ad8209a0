-- Arms of different types.
-- at 6
-- ==
-- error: Cases of match-expression do not have the same type.*Cannot unify i32 with bool

def f (x: i32) = match x case 0 -> 1i32 case _ -> true
