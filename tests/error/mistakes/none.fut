-- None.
-- at 6
-- ==
-- error: there is no such value

def f (x: i32) = if x > 0 then None else x
