-- A number for a value of any type.
-- at 6
-- ==
-- error: "t" may be any type, which no number has

def f 't (x: t) : t = 1
