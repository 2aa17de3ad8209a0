-- Without "p" the number ends before the point.
-- at 6
-- ==
-- error: Unknown field "8"

def a = 0x1.8
