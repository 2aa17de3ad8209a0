-- Two literals in one case.
-- at 6
-- ==
-- error: a case has one pattern and no condition: write "case 1 -> a case 2 -> a"

def f (x: i32) = match x case 1 | 2 -> 3 case _ -> 4
