-- A local function cannot consume what it captures.
-- at 7
-- ==
-- error: Consuming variable "a", which is not consumable

def f (a: *[]i64) =
  let g (i: i64) = a with [i] = 0
  in g 1
