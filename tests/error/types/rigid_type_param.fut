-- A type parameter is rigid in its definition.
-- at 6
-- ==
-- error: Cannot unify|Function body does not have expected type

def f 'a (x: a) : i32 = x
