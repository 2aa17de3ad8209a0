-- Nor is that of a lambda.
-- ==
-- error: scope
def f = \ys ->
  let w = 2i64
  in i32.sum (map2 (*) (replicate w 1i32) ys)
