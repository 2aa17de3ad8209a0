-- The initial value is gone after the loop.
-- at 8
-- ==
-- error: Using variable "x", but this was consumed

def f (x: *[3]i32) (n: i32) =
  let z = loop y = x for i < n do y with [0] = i
  in (z, x)
