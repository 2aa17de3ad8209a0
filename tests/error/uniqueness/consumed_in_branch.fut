-- Consumption in one branch counts afterwards.
-- at 8
-- ==
-- error: Using variable "a", but this was consumed

def f (c: bool) (a: *[4]i32) =
  let b = if c then a with [0] = 1 else replicate 4 0
  in (b, a[1])
