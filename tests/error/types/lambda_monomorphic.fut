-- A function bound by let has one type.
-- at 6
-- ==
-- error: Cannot apply "g" to "true" .invalid type.

def f = let g = \x -> x in (g 1i32, g true)
