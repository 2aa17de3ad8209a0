-- [] in a coercion of what has an unknown size is that unknown one, no size of the context's.
-- at 6 7
-- ==
-- error: do not match.*do not match

def f [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs (filter (> 0) ys :> []i32)
def g [n] (xss: [n][n]i32) : [n]i32 = (filter (> 0) xss[0] :> ?[k].[k]i32)
