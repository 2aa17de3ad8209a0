-- An index times a float.
-- at 6
-- ==
-- error: "f64\.i64 x" converts the parameter x of the function\.

def f (n: i64) : [n]f64 = tabulate n (\i -> i * 0.5)
