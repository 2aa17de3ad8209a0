-- A value of a size-lifted type may hide sizes.
-- at 6
-- ==
-- error: Cannot create array with elements of size-lifted type "a"

def f '~a (x: a) = [x, x]
