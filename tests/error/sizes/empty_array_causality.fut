-- The rows of an empty array get their size too late.
-- ==
-- error: Causality check: size .* needed for type of empty array
def f [n] (xs: [n]i64) = let a = [] : [][]i64 let b = [filter (> 0) xs] in zip a[0] b[0]
