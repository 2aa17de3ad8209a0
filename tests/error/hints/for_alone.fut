-- A loop without its variable.
-- at 6
-- ==
-- error: a loop is written "loop x = start

def f (x: i32) = for i < 10 do x + 1
