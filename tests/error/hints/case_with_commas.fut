-- Two literals in one case, with a comma.
-- at 6
-- ==
-- error: a case has one pattern

def f (x: i32) = match x case 1, 2 -> 3 case _ -> 4
