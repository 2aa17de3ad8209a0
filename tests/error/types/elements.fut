-- Array elements of different types.
-- at 6
-- ==
-- error: Cannot unify|element

def f = [1i32, 2i64]
