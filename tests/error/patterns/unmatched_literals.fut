-- Literals do not exhaust integers.
-- at 6
-- ==
-- error: Unmatched cases in match expression:

def f (x: i32) = match x case 3 -> 1i32 case 5 -> 2
