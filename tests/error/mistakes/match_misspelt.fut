-- Match misspelt.
-- at 6
-- ==
-- error: did you mean "match" instead of "mach"

def f (x: i32) = mach x case 0 -> 1 case _ -> 2
