-- A lambda that binds a size.
-- at 6
-- ==
-- error: a lambda has no parameters for sizes and types

def f = map (\[n] (xs: [n]i32) -> n) [[1, 2]]
