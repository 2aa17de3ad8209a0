-- A record taken apart as a tuple.
-- at 7
-- ==
-- error: one is a tuple, the other a record, whose pattern is "\{a, \.\.\.\}"\.

def g (x: f64) = {a = x, b = x}
def f (x: f64) = let (a, b) = g x in a + b
