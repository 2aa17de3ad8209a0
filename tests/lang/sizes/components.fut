-- A size expression in a parameter's type is taken apart by the argument's size.
def halves [n] (xs: [n + n]i32) : [n]i32 = map2 (+) xs[:n] (xs[n:] :> [n]i32)
-- ==
-- input { [1, 2] [3, 4] } output { [4, 6] [1, 2] [3, 4] [[1, 2], [3, 4]] [1, 2, 3, 4] [1, 2] }
entry main [n] (xs: [n]i32) (ys: [n]i32) =
  let (a, b) = split (xs ++ ys)
  let (c, d) = split (xs ++ ys ++ xs)
  in (halves (xs ++ ys), a, b, unflatten (flatten [xs, ys]), c, d)
