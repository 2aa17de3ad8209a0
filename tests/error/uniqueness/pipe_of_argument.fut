-- What a function in a pipe gives may be what it is given.
-- at 9
-- ==
-- error: Using variable "xs", but this was consumed

def f (xs: *[]i64) =
  let ys = xs |> id |> (\x -> x)
  let xs[0] = 1
  in (xs, ys)
