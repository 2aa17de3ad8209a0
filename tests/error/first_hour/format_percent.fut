-- A string formatted by an operator.
-- at 6
-- ==
-- error: strings are not formatted; "trace x" prints x and returns it\.

def f (x: i64) = "%d" % x
