-- A constant of unknown size has one size.
def xs : []i64 = filter (> 1) (iota 5)
-- ==
-- input { } output { [4i64, 6i64, 8i64] }
entry main = map2 (+) xs xs
