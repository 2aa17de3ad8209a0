-- Local functions are monomorphic.
-- at 6
-- ==
-- error: Cannot apply "g" to "true" .invalid type..*Expected: i32.*Actual:   bool

def f (x: i32) = let g y = y in (g x, g true)
