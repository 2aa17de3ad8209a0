-- A recursive function cannot return a function.
-- at 6
-- ==
-- error: Recursive function "f" returns type i32 -> i32 which is not first-order

def f (x: i32) : i32 -> i32 = let g = f (x - 1) in \y -> g y
