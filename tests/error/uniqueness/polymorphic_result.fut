-- The result of a polymorphic function may be its argument.
-- at 10
-- ==
-- error: Using variable "a", but this was consumed

def pass 't (x: t) : t = x
def f (a: *[]i32) =
  let b = pass a
  let c = a with [0] = 1
  in (b, c)
