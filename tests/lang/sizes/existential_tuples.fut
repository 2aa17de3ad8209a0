-- A size that two components of a result share.
def evens (n: i64) : ?[k].([k]i64, [k]bool) =
  let xs = filter (\x -> x % 2 == 0) (iota n)
  in (xs, map (> 2) xs)
-- ==
-- input { 6i64 } output { [0i64, 0i64, 4i64] }
entry main (n: i64) = let (xs, bs) = evens n in map2 (\x b -> if b then x else 0) xs bs
