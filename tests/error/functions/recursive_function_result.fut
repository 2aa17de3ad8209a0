-- A recursive function cannot return a function.
-- at 6
-- ==
-- error: Recursive function "f" may not have a higher-order return type

def f (x: i32) : i32 -> i32 = let g = f (x - 1) in \y -> g y
