-- A local function may give back what it captured.
-- at 9
-- ==
-- error: Consuming variable "g", which is not consumable|Consuming variable "xs", which is not consumable

def f (xs: []i64) =
  let g () = xs
  let ys = g ()
  let ys[0] = 1
  in ys
