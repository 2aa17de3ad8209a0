-- A pattern binds a name twice.
-- at 6
-- ==
-- error: Name "x" also bound at

def f (p: (i32, i32)) = let (x, x) = p in x
