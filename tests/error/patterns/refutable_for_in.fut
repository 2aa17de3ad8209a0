-- And that of the elements of a for-in loop.
-- at 6
-- ==
-- error: Refutable pattern not allowed here

def f (xs: [](i32, bool)) = loop s = 0 for (x, true) in xs do s + x
