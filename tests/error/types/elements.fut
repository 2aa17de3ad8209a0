-- Array elements of different types.
-- at 6
-- ==
-- error: Array element does not have the type of the elements before it.*Cannot unify i32 with i64

def f = [1i32, 2i64]
