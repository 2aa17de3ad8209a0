-- Composition with a function of unknown result size.
-- at 6
-- ==
-- error: Existential size would appear in function parameter of return type

def g = filter (> 0i32) >-> length
