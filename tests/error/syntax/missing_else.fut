-- Every if has an else.
-- at 7
-- ==
-- error: Expected one of the following: 'else'

def f (x: bool) = if x then 1i32
def g = 2i32
