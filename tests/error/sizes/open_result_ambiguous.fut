-- The use does not say which size it is.
-- at 6
-- ==
-- error: Ambiguous size
def none (x: i32) : (i32, [][]i32) = (x, [])
entry main (x: i32) = length (none x).1
