-- Not even a size-lifted one.
-- at 6
-- ==
-- error: Cannot create array with elements of size-lifted type "a"

def f '~a (x: []a) = length x
