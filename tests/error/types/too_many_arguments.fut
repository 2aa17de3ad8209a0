-- An argument too many.
-- at 7
-- ==
-- error: Cannot apply expression as function.*takes only 1 argument, but is given 2

def f (x: i32) = x
def g = f 1 2
