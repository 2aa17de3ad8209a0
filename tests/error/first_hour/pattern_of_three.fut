-- A pattern of three for a pair.
-- at 6
-- ==
-- error: one has 2 components, the other 3\.

def f (p: (f64, f64)) = let (a, b, c) = p in a
