-- A tuple given as several arguments.
-- at 7
-- ==
-- error: pass the components of the tuple one by one: "g p\.0 p\.1"\.

def g (x: f64) (y: f64) = x
def f (p: (f64,f64)) = g(*p)
