-- Tuples compared by order.
-- at 6
-- ==
-- error: compare the components

def f (a: (i32, i32)) (b: (i32, i32)) = a < b
