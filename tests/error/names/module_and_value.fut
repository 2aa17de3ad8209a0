-- Modules and values share a name space.
-- at 7
-- ==
-- error: Duplicate definition of name m

module m = {}
def m = 1i32
