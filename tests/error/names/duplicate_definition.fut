-- A name is defined twice.
-- at 7
-- ==
-- error: Duplicate definition of name g. Previously defined at

def g = 1i32
def g = 2i32
