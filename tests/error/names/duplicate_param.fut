-- Two parameters have the same name.
-- at 6
-- ==
-- error: Name "x" also bound at

def f (x: i32) (x: i32) = x
