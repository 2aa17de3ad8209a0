-- Nor is an alias of it, in a part of another argument.
-- at 9
-- ==
-- error: is consumed, but another argument

def put (dst: *[]i64) (p: ([]i64, i64)) : *[]i64 = dst with [0] = p.0[0] + p.1
def f (xs: *[]i64) =
  let ys = xs[1:]
  in put xs (ys, 1)
