-- Unique results that are one array in one of the branches.
-- at 6
-- ==
-- error: aliased

def f (b: bool) (n: i64) : (*[]i64, *[]i64) = let a = iota n let c = iota n in if b then (a, c) else (c, c)
entry main b n = f b n
