-- First-order recursive functions may be passed on with some of their arguments.
-- ==
-- input { 3i64 } output { 8i64 }
def walk (k: i64) (x: i64) : i64 =
  if k == 0 then x else i64.sum (map (walk (k - 1)) [x, x])

entry main (k: i64) = walk k 1
