-- "!" does not stand between two operands.
-- at 6 7
-- ==
-- error: "!" stands before its operand; an argument with it is written

def g (x: i32) (y: i32) = x ! y
def h (f: bool -> bool) (y: bool) = f !y
