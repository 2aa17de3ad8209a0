-- A name bound by let is as good as what it stands for.
def f (n: i64) (xs: [n + 1]i64) : i64 = xs[n]
-- ==
-- input { 3i64 } output { 3i64 [0i64, 2i64, 4i64, 6i64] }
entry main (n: i64) =
  let m = n + 1
  let xs = iota m
  in (f n xs, map2 (+) xs (iota (n + 1)))
