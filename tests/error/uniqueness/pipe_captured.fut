-- What a function in a pipe gives may be what it captured.
-- at 8
-- ==
-- error: Consuming variable "xs", which is not consumable|Consuming variable "ys"

def f (xs: []i64) =
  let ys = 2i64 |> (\k -> xs[k:])
  let ys[0] = 1
  in ys
