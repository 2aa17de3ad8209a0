-- So is the pattern of a loop.
-- at 6
-- ==
-- error: Refutable pattern not allowed here

def f = loop 1 = 1i32 for _i < 3i32 do 1
