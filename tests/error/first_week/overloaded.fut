-- One name for two types.
-- at 7
-- ==
-- error: give one of them another name; there is no overloading by the types of arguments\.

def f (x: i64) = x
def f (x: f64) = x
