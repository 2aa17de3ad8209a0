-- A hexadecimal float has digits on both sides of its point, and an exponent with a digit.
-- at 6
-- ==
-- error: Unknown field "8"

def a = 0x1.8p
