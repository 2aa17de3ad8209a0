-- [] in a coercion is no new size, nor is it that of another value.
-- ==
-- error: do not match
def f [n] (xs: [n]i32) = map2 (+) (filter (> 0) xs :> []i32) xs
