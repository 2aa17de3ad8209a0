-- x++
-- at 6
-- ==
-- error: variables cannot be reassigned

def f (x: i32) = x++
