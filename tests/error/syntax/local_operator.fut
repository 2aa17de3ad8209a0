-- An operator cannot be defined with parameters locally.
-- at 6
-- ==
-- error: Unexpected "x"

def f = let (+^) x y = x + y in 3 +^ 4i32
