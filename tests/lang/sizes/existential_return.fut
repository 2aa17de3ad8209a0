-- A function with existential result.
def pos [n] (xs: [n]i64) : ?[k].[k]i64 = filter (> 0) xs
def both (n: i64) : ?[k].([k]i64, [k]i64) = let m = n * 2 in (iota m, replicate m 1)
-- ==
-- input { [1i64, -2i64, 3i64] } output { [1i64, 3i64] [1i64, 2i64, 3i64, 4i64] }
entry main (xs: []i64) = let (a, b) = both 2 in (pos xs, map2 (+) a b)
