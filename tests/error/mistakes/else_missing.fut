-- Else missing.
-- at 6
-- ==
-- error: an "else", as it has a value; the one at 6:18 has none

def f (x: i32) = if x > 0 then 1
