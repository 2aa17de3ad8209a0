-- The parameter of a lambda gets its size too late.
-- ==
-- error: Causality check
def f (xs: []i32) = let g = \ys -> length ys + i64.i32 ys[0] in g (filter (> 0) xs)
