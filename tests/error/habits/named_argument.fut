-- An argument by name.
-- at 7
-- ==
-- error: arguments have no names

def f (x: i32) = x
def g = f(x = 3)
