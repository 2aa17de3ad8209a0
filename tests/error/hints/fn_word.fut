-- A word for a declaration.
-- at 6
-- ==
-- error: a function is defined by "def

fn f (x: i32) = x
