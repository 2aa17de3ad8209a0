-- The file ends too early.
-- at 6
-- ==
-- error: Unexpected end of file

def f (x: i32) = let y = x
