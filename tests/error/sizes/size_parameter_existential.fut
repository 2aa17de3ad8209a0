-- A size parameter is not an existential size.
-- ==
-- error: Sizes .* do not match
def h [n] (f: i64 -> [n]i64) = f 3
def q (xs: []i64) = h (\x -> filter (> x) xs)
