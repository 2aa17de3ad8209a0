-- A name twice in the pattern of a case.
-- at 6
-- ==
-- error: Name "a" also bound at

def f (x: (i32, i32)) = match x case (a, a) -> a
