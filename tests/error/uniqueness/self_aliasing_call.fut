-- A part of the argument may be another one, after a call: the message says which.
-- at 9
-- ==
-- error: self-aliased.*Using variable "a", but this was consumed

def eat (p: *([]i64, []i64)) : i64 = p.0[0] + p.1[0]
def f (a: *[]i64) =
  let b = id a
  in eat (a, b)
