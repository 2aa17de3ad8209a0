-- An operator on bits for truth values.
-- at 6
-- ==
-- error: "&&" is for booleans

def f (a: bool) (b: bool) = a & b
