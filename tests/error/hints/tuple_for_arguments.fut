-- A tuple for two arguments.
-- at 7
-- ==
-- error: arguments are separated by spaces, without commas: f 1 2

def f (x: i32) (y: i32) = x + y
def g = f(1, 2)
