-- else in a match.
-- at 6
-- ==
-- error: the case for everything else is "case _ -> \.\.\."

def f (x: i32) = match x case 1 -> 2 else -> 3
