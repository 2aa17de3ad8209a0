-- An array of a size-lifted type.
-- at 7
-- ==
-- error: Cannot create array with elements of size-lifted type

type~ vec = []i32
def f (xs: []vec) = length xs
