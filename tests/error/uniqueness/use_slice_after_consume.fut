-- A slice of a consumed array is used.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[4]i32) =
  let s = a[1:3]
  let c = a with [1] = 7
  in (c, s[0])
