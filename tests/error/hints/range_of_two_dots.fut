-- A range with two dots.
-- at 6
-- ==
-- error: a range is written "a\.\.<b"

def f (x: i32) = loop x for i in 0..10 do x + i
