-- An unknown size from a loop.
-- at 6
-- ==
-- error: size-polymorphic

def l [n] : ([n]i64, []i64) = (iota n, loop xs = [] for i < n do xs ++ [i])
entry main (x: i32) = x
