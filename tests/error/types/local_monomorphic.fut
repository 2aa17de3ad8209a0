-- Local functions are monomorphic.
-- at 6
-- ==
-- error: Cannot

def f (x: i32) = let g y = y in (g x, g true)
