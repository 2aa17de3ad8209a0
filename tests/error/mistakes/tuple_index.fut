-- A component of a tuple in brackets.
-- at 6
-- ==
-- error: "p\.0" is the first one of a tuple

def f (p: (i32, f64)) = p[0]
