-- A variable is used after it was consumed.
-- at 8
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[4]i32) =
  let b = a with [1] = 7
  in (b, a[2])
