-- An alias was consumed: the message names what is used, which is gone as well.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[]i64) =
  let b = a
  let b[0] = 1
  in (b, a)
