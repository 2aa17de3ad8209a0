-- What becomes of sizes whose names go out of scope.
def by_definition (n: i64) : [n + 1 + 1]i64 = let a = n + 1 let b = a + 1 in iota b
def by_unknown (p: (i64, i64)) = let (a, b) = p in (iota a, replicate a b)
def related [n] (xs: [n]i64) = let k = i64.sum xs % n in (xs[:k], xs[k:])
-- ==
-- input { [1i64, 2i64, 4i64] }
-- output { [0i64, 1i64, 2i64] [7i64, 8i64] [1i64] [2i64, 4i64] }
entry main (xs: []i64) =
  let (a, b) = by_unknown (2, 7)
  let (c, d) = related xs
  in (by_definition 1, map2 (+) a b, c, d)
