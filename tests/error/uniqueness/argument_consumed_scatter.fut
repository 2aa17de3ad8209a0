-- Nor for functions of the prelude.
-- at 6
-- ==
-- error: is consumed, but another argument

def f (xs: *[]i64) = scatter xs (map (+ 1) xs) xs
