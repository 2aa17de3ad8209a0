-- An alias of a consumed variable is used.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed at .*Possibly through aliases

def f (a: *[4]i32) =
  let b = a
  let c = a with [1] = 7
  in (c, b[2])
