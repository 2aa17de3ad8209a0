-- The type of the result after an arrow.
-- at 6
-- ==
-- error: the type of the result follows a colon

def f (x: i32) -> i32 = x
