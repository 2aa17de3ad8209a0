-- A token that fits nowhere.
-- at 6
-- ==
-- error: Unexpected ")"

def f (x: i32) = (x + ) )
