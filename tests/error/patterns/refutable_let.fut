-- A refutable pattern in a let.
-- at 6
-- ==
-- error: Refutable pattern not allowed here

def f (p: (i32, i32)) = let (7, q) = p in q
