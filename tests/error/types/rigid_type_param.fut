-- A type parameter is rigid in its definition.
-- at 6
-- ==
-- error: Function body does not have expected type.*Cannot unify i32 with a

def f 'a (x: a) : i32 = x
