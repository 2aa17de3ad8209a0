-- Size of let.
-- at 6
-- ==
-- error: depends on a name that is bound inside of it

def f [n] (xs: [n]i32) = zip xs (let (k, _) = (3i64, 4i32) in replicate k 1i32)
