-- Only lifted type parameters take functions.
-- at 7
-- ==
-- error: Type i32 -> i32 found to be functional

def id' 'a (x: a) : a = x
def f (x: i32) = (id' (+ 1i32)) x
