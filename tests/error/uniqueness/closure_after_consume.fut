-- A closure is used after what it captured was consumed.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[4]i32) =
  let get i = a[i]
  let b = a with [0] = 1
  in (b, get 1)
