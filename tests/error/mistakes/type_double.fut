-- Type double.
-- at 6
-- ==
-- error: this type is called f64

def f (x: double) : f64 = x
