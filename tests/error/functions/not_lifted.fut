-- Only lifted type parameters take functions.
-- at 7
-- ==
-- error: functional|function

def id' 'a (x: a) : a = x
def f (x: i32) = (id' (+ 1i32)) x
