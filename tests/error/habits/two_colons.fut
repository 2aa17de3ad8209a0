-- Two colons before a type.
-- at 6
-- ==
-- error: a type follows a single colon

def f (x :: f64) = x
