-- A sum type is not a subtype of a larger one.
-- at 6
-- ==
-- error: Function body does not have expected type.*Unshared constructors: #b

def f (x: #a i32) : (#a i32 | #b) = x
