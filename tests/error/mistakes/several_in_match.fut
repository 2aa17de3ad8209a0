-- Several in match.
-- at 6
-- ==
-- error: Unknown name "u".*Unknown name "v"

def f (x: i32) = match x case 0 -> u case _ -> v
