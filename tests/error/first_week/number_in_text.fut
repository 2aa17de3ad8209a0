-- A number in a string.
-- at 6
-- ==
-- error: strings are not formatted; "trace x" prints x and returns it\.

def f (x: f64) = "x = " ++ x
