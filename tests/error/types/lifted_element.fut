-- Nothing but plain type parameters can be elements of arrays.
-- at 6
-- ==
-- error: Cannot create array with elements of lifted type "a"

def f '^a (x: []a) = length x
