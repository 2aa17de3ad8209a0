-- A call without an argument.
-- at 7
-- ==
-- error: "g" takes an argument: "g x"\.

def g (x: f64) = x
def f = g()
