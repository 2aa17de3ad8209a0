-- The size of a parameter without annotation is not that of a name in the body.
-- at 6
-- ==
-- error: scope

def f ys (n: i64) = let m = n + 1 in map2 (+) ys (iota m)
entry main (n: i64) = f (iota (n + 1)) n
