-- "!" is a prefix only, and cannot be defined, bound or specified.
-- at 6 7 8 9
-- ==
-- error: Unexpected.*"!" stands before its operand and cannot be defined

def (!) (x: i32) = x * 2
def a ! b = a + b
module type s = { val ! : bool -> bool }
def f (g: bool -> bool) = let (!) = g in 1i32
