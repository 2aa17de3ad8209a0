-- An integer times a float: it is the integer that is converted.
-- at 6
-- ==
-- error: use f64\.i64 to convert the other operand; i64\.f64 would round this one\.

def f (n: i64) (x: f64) = n * x
