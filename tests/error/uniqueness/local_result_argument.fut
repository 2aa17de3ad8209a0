-- A local function may give back its argument.
-- at 10
-- ==
-- error: Using variable "xs", but this was consumed

def f (xs: *[]i64) =
  let pick b ys = if b then map (+ 1) ys else ys
  let zs = pick false xs
  let xs[0] = 1
  in (xs, zs)
