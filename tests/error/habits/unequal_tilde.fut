-- ~= for inequality.
-- at 6
-- ==
-- error: inequality is "!="

def f (x: i32) = x ~= 3
